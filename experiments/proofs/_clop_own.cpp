// CLOP's own sampler behind a line protocol (see _clop_own.py): "ask" is answered by a setting of [-1, 1]^n, "tell
// WINS DRAWS LOSSES" are games of it, "best" is answered by the recommendation. Arguments: n, seed, the log-odds of a
// draw. Constants are those of CLOP's own programs (CExperimentFromSettings.cpp), with a tenth of their Metropolis moves.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "CPFQuadratic.h"
#include "CRegression.h"
#include "CResults.h"
#include "CSPWeight.h"

static void write(const double *x, int n) {
    for (int i = 0; i < n; i++) std::cout << x[i] << ' ';
    std::cout << std::endl;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const int n = std::atoi(argv[1]);
    CResults results(n);
    CPFQuadratic quadratic(n);
    CRegression regression(results, quadratic);
    CSPWeight sampler(regression, 0, 100);
    sampler.Seed(std::strtoul(argv[2], 0, 10));
    regression.SetRefreshRate(0.1);
    regression.SetDrawRating(std::atof(argv[3]));
    regression.SetLocalizationHeight(3.0);
    regression.SetMaxWeightIterations(7);
    quadratic.SetPriorStrength(1e-2);
    std::cout.precision(17);
    std::vector<double> x(n);
    std::string word;
    while (std::cin >> word) {
        if (word == "ask") {
            const double *asked = sampler.NextSample(results.GetSamples());
            x.assign(asked, asked + n);
            write(&x[0], n);
        } else if (word == "tell") {
            int counts[3];
            std::cin >> counts[0] >> counts[1] >> counts[2];
            const COutcome::Value kinds[3] = {COutcome::Win, COutcome::Draw, COutcome::Loss};
            for (int kind = 0; kind < 3; kind++)
                for (int game = 0; game < counts[kind]; game++) results.AddSample(&x[0], kinds[kind]);
        } else if (word == "best") {
            regression.Refresh();
            regression.GetAverageSample(&x[0]);
            write(&x[0], n);
        }
    }
}
