"""What does a person see of a study while it runs?

- `app`: `tunesmith dashboard`: optuna-dashboard on one or more studies, with our notes, plots and files
- `notes`: What is laid over a study in optuna-dashboard: notes in Markdown, plots, and files to take away
- `answers`: What may be asked of a dashboard?
- `storage`: Studies as optuna-dashboard sees them: trials read from where they lie, with our notes laid over
  them"""
