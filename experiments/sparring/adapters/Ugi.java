import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

/** Another program as an engine that speaks UGI: lines in, lines out. A game begins at its start, with moves from it. */
abstract class Ugi {
    /** Forget what is known of earlier games. */
    abstract void newGame();

    /** Go to the position after these moves, each as Tunesmith writes it. */
    abstract void position(List<String> moves);

    /** Return the program's move; it has so many milliseconds. */
    abstract String go(int milliseconds);

    void converse(String name) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            List<String> words = Arrays.asList(lines.nextLine().trim().split("\\s+"));
            switch (words.get(0)) {
                case "ugi":
                    say("id name " + name);
                    say("ugiok");
                    break;
                case "isready":
                    say("readyok");
                    break;
                case "uginewgame":
                    newGame();
                    break;
                case "position":
                    int at = words.indexOf("moves");
                    position(at < 0 ? new ArrayList<>() : words.subList(at + 1, words.size()));
                    break;
                case "go":
                    int time = words.indexOf("movetime");
                    say("bestmove " + go(time < 0 ? 1000 : Integer.parseInt(words.get(time + 1))));
                    break;
                case "quit":
                    return;
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
