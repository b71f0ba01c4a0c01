"""Abbreviations of machine learning that texts use without explaining them.

Used where no text of the index explains an abbreviation itself; what one does explain comes first.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import MappingProxyType

from index.stores.lexical import analyze
from index.stores.vocabulary import Meaning

_COMMON = """
    A2C advantage actor-critic
    A3C asynchronous advantage actor-critic
    BC behavior cloning
    BERT bidirectional encoder representations from transformers
    CMDP constrained Markov decision process
    CNN convolutional neural network
    CQL conservative Q-learning
    DAgger dataset aggregation
    DDPG deep deterministic policy gradient
    DDQN double deep Q-network
    DPO direct preference optimization
    DQN deep Q-network
    DRL deep reinforcement learning
    ELBO evidence lower bound
    EM expectation maximization
    GAE generalized advantage estimation
    GAIL generative adversarial imitation learning
    GAN generative adversarial network
    GNN graph neural network
    GP Gaussian process
    GPI generalized policy iteration
    GRPO group relative policy optimization
    GRU gated recurrent unit
    HER hindsight experience replay
    HMM hidden Markov model
    HRL hierarchical reinforcement learning
    ICL in-context learning
    IL imitation learning
    IRL inverse reinforcement learning
    KL Kullback-Leibler
    LLM large language model
    LQR linear quadratic regulator
    LSTM long short-term memory
    MAML model-agnostic meta-learning
    MARL multi-agent reinforcement learning
    MBRL model-based reinforcement learning
    MCMC Markov chain Monte Carlo
    MCTS Monte Carlo tree search
    MDP Markov decision process
    MLP multilayer perceptron
    MPC model predictive control
    NLP natural language processing
    PCA principal component analysis
    POMDP partially observable Markov decision process
    PPO proximal policy optimization
    RAG retrieval-augmented generation
    RLAIF reinforcement learning from AI feedback
    RLHF reinforcement learning from human feedback
    RLVR reinforcement learning with verifiable rewards
    RNN recurrent neural network
    SAC soft actor-critic
    SFT supervised fine-tuning
    SGD stochastic gradient descent
    SVM support vector machine
    TD temporal difference
    TRPO trust region policy optimization
    UCB upper confidence bound
    VAE variational autoencoder
    VLM vision-language model
    VQA visual question answering
"""


@functools.cache
def common_meanings() -> MappingProxyType[str, Meaning]:
    """Map the term of each common abbreviation to its meaning."""
    rows = (line.split(maxsplit=1) for line in _COMMON.strip().splitlines())
    return MappingProxyType(
        {
            (term := analyze(short)[0]): Meaning(term, tuple(analyze(long)), long, records=0)
            for short, long in rows
        }
    )


@functools.cache
def _long_forms() -> MappingProxyType[str, list[tuple[str, str]]]:
    """Map the first terms of long forms to the (short, long) of those."""
    found: dict[str, list[tuple[str, str]]] = {}
    for short, meaning in common_meanings().items():
        found.setdefault(meaning.long[0], []).append((short, " ".join(meaning.long)))
    return MappingProxyType(found)


def commonly_abbreviated(terms: Sequence[str]) -> list[tuple[str, str]]:
    """Return the (short, long) of the phrases in a sequence of terms that have a common abbreviation."""
    text = f" {' '.join(terms)} "
    possible = (pair for term in dict.fromkeys(terms) for pair in _long_forms().get(term, ()))
    return [pair for pair in possible if f" {pair[1]} " in text]
