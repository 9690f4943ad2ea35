import java.util.List;
import pentago_twist.PentagoBoard;
import pentago_twist.PentagoBoardState;
import pentago_twist.PentagoMove;
import student_player.StudentPlayer;

/** Gchouchou/pentago-twist. It searches to a depth of its own, whatever time it is given. */
class PentagoTwist extends Ugi {
    private final StudentPlayer player = new StudentPlayer();
    private PentagoBoardState state;

    void newGame() {
        position(List.of());
    }

    void position(List<String> moves) {
        PentagoBoard board = new PentagoBoard();
        state = (PentagoBoardState) board.getBoardState();
        for (String move : moves) { // as in c2-0r: column, row from the top, quadrant, turned or flipped
            int x = move.charAt(1) - '1', y = move.charAt(0) - 'a', kind = move.charAt(4) == 'r' ? 0 : 1;
            board.move(new PentagoMove(x, y, move.charAt(3) - '0', kind, state.getTurnPlayer()));
        }
    }

    String go(int milliseconds) {
        PentagoMove move = (PentagoMove) player.chooseMove(state);
        char column = (char) ('a' + move.getMoveCoord().getY()), row = (char) ('1' + move.getMoveCoord().getX());
        return column + "" + row + "-" + move.getASwap() + (move.getBSwap() == 0 ? "r" : "f");
    }

    public static void main(String[] given) {
        new PentagoTwist().converse("Gchouchou/pentago-twist");
    }
}
