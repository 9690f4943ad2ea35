"""What does a person see of a study while it runs?

- `answers`: What may be asked of a dashboard?
- `app`: `tunesmith dashboard`: optuna-dashboard on one or more studies, with our notes, plots and files
- `notes`: What is laid over a study in optuna-dashboard: notes in Markdown, plots, and files to take away
- `overlay`: What is laid over the pages of optuna-dashboard: the verdict on top, nothing that is empty or does
  nothing
- `storage`: Studies as optuna-dashboard sees them: trials read from where they lie, with our notes laid over
  them"""
