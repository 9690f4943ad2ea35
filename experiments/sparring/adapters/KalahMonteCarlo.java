import MKAgent.game.Board;
import MKAgent.game.Kalah;
import MKAgent.game.Side;
import MKAgent.treesearch.mcts.graph.MonteCarloNode;
import MKAgent.treesearch.mcts.graph.MonteCarloNodeUtils;
import MKAgent.treesearch.mcts.policies.defaults.DefaultPolicyWithHeuristic;
import MKAgent.treesearch.mcts.policies.rollouts.RolloutPolicyWithHeuristic;
import MKAgent.treesearch.mcts.policies.trees.TreePolicyWithHeuristic;
import java.util.ArrayList;
import java.util.List;

/**
 * crisbodnar/KalahAI: its tree search, which plays out games at random and keeps its tree from move to move. There it
 * plays 7 ponds of 7 seeds; nothing in it depends on that, and here it plays the game of 6 ponds and 6 seeds. It waits for
 * 100,000 games a move in steps of 5 s and thinks while the other side does; here it has the time of its move, and no
 * other. It is told that the second player has moved, so that no sides are swapped and no first free turn is lost.
 */
class KalahMonteCarlo extends Ugi {
    private final TreePolicyWithHeuristic tree = new TreePolicyWithHeuristic();
    private final DefaultPolicyWithHeuristic rollouts = new DefaultPolicyWithHeuristic();
    private final RolloutPolicyWithHeuristic results = new RolloutPolicyWithHeuristic();
    private List<String> played = new ArrayList<>();
    private MonteCarloNode root;

    void newGame() {
        played = new ArrayList<>();
        root = new MonteCarloNode(new Kalah(new Board(6, 6), Side.SOUTH, true, Side.SOUTH), null, null);
    }

    void position(List<String> moves) {
        if (root == null || moves.size() < played.size() || !moves.subList(0, played.size()).equals(played)) newGame();
        for (String move : moves.subList(played.size(), moves.size())) root = after(Integer.parseInt(move));
        played = new ArrayList<>(moves);
    }

    private MonteCarloNode after(int move) {
        for (MonteCarloNode child : root.getChildren()) {
            if (child.getMove().getIndex() == move) {
                child.setParent(null);
                return child;
            }
        }
        Kalah state = root.getState().clone();
        state.makeMove(move);
        return new MonteCarloNode(state, null, null);
    }

    String go(int milliseconds) {
        long end = System.nanoTime() + 1_000_000L * milliseconds;
        do {
            MonteCarloNode node = tree.select(root);
            results.backpropagate(node, rollouts.simulate(node));
        } while (System.nanoTime() < end);
        return "" + MonteCarloNodeUtils.selectRobustChild(root).getMove().getIndex();
    }

    public static void main(String[] given) {
        new KalahMonteCarlo().converse("crisbodnar/KalahAI");
    }
}
