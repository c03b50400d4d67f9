"""Hunting bugs: answers that are to expose the difference between a good and a buggy program (HarnessLLM).

A package of its own, not a module of `core.verifiers`: what is judged here is an answer about one pair
of programs, by inputs that the answer itself makes up, and not a score for each solution of a problem.

    model.py       what an answer, an input and a finding are
    pairs.py       pairs out of a benchmark
    answers.py     a raw answer to a harness or to input/output cases, or the name of what is wrong with it
    targets.py     how a program of a pair is called, and whether two outputs are the same
    inputs.py      what an answer tries: its generators run, or its cases
    trial.py       answers run in the sandbox, stage by stage
    judgement.py   inputs to the class of an answer
    strategies.py  how generators and checkers go about it, from their syntax
    offline.py     answers that need no model
    folder.py      a hunt on disk; rows.py is its tables' columns
    tables.py      first-k, groups, and harness against input/output
    pool.py, verifier.py    all answers about a problem as a verifier of its solutions; a run of it
    reward.py      Eq. 1 as a reward function for trainers; training.py: rejection sampling for fine-tuning
    asked.py       a model's word on strategies, beside the syntax tree's
    commands.py    what `python -m core hunt` does
"""
