import Fanorona.Board.Board;
import Fanorona.Board.BoardSize;
import Fanorona.Move.Move;
import Fanorona.Player.Player;
import Fanorona.Player.SteeredMaterialPlayer;
import Fanorona.Player.SteeredMctsPlayer;
import java.io.IOException;
import java.util.List;

/**
 * MichaelGreisberger/mcts-in-fanorona; the argument is its kind of player: uct, puct, or uctM and puctM, which count
 * stones after ten moves. A whole chain is one move there: it is thought of once and told step by step. An opening
 * that ends within a chain is ended with `stop`, because the program cannot be asked there.
 */
class MctsFanorona extends Ugi {
    private final String kind;
    private Player player;
    private Board board;
    private String done = ""; // steps of a chain that runs
    private String chain = ""; // that was chosen for the turn

    MctsFanorona(String kind) {
        this.kind = kind;
    }

    void newGame() {
        chain = "";
        if (player != null) player.reset();
    }

    void position(List<String> moves) {
        board = new Board(BoardSize.LARGE);
        done = "";
        for (String move : moves) {
            if (!move.equals("stop")) done = done.isEmpty() ? move : done + move.substring(2);
            if (move.equals("stop") || !canGoOn(done)) {
                board = board.applyMove(found(done));
                done = "";
            }
        }
    }

    String go(int milliseconds) {
        if (done.isEmpty()) chain = text(chosen(milliseconds));
        if (!chain.startsWith(done) || chain.equals(done)) return "stop";
        if (done.isEmpty()) return chain.substring(0, 5);
        int at = done.length();
        return chain.substring(at - 3, at - 1) + chain.substring(at, at + 3);
    }

    private Move chosen(int milliseconds) {
        if (player == null) {
            String steering = kind.replace("M", "");
            player = kind.endsWith("M") ? new SteeredMaterialPlayer(milliseconds, false, steering)
                : new SteeredMctsPlayer(milliseconds, false, steering);
        }
        try {
            return player.getNextMove(board);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private boolean canGoOn(String steps) {
        for (Move move : board.getPossibleMoves()) {
            if (text(move).length() > steps.length() && text(move).startsWith(steps)) return true;
        }
        return false;
    }

    private Move found(String steps) {
        for (Move move : board.getPossibleMoves()) if (text(move).equals(steps)) return move;
        throw new IllegalArgumentException("illegal move " + steps);
    }

    /** Return a move with rows counted from the bottom, as in d3e3Ae4W; one that takes nothing ends in P. */
    private static String text(Move move) {
        String text = move.toSchaddMoveString().replace("-", "");
        return text.length() == 4 ? text + "P" : text;
    }

    public static void main(String[] given) {
        new MctsFanorona(given.length > 0 ? given[0] : "uct").converse("MichaelGreisberger/mcts-in-fanorona");
    }
}
