"""RL with test suites as the reward: TRL's GRPOTrainer and `SuiteReward`.

    python -m core evolve export RUN --layout prompts --out prompts.jsonl
    pip install -r requirements-rl.txt
    python -m examples.grpo prompts.jsonl --model Qwen/Qwen3-0.6B --steps 100 --out trained

Without `--model` a tiny model with random weights is trained on the CPU: it shows that everything
fits together, and learns nothing.
"""

from __future__ import annotations

import argparse
import json
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from core.verifiers.reward import SuiteReward


def train(
    rows: Sequence[Mapping[str, Any]], reward: SuiteReward, *, out: Path, steps: int, model: str = ""
) -> list[dict[str, Any]]:
    """Train for some steps; returns the trainer's log, in which the reward has its name."""
    options = GRPOConfig(
        output_dir=str(out),
        max_steps=steps,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=16 if not model else 1024,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=not model,
    )
    tokenizer = None if model else _tiny_tokenizer()
    trainer = GRPOTrainer(
        model=model or _tiny_model(tokenizer),
        processing_class=tokenizer,
        reward_funcs=reward,
        args=options,
        train_dataset=Dataset.from_list(list(rows)),
    )
    trainer.train()
    log: list[dict[str, Any]] = trainer.state.log_history
    return log


def _tiny_tokenizer() -> PreTrainedTokenizerFast:
    """A token a character."""
    letters = ["<pad>", "<end>", "<unknown>", *string.printable]
    vocabulary = {letter: place for place, letter in enumerate(letters)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",  # noqa: S106
        eos_token="<end>",  # noqa: S106
        unk_token="<unknown>",  # noqa: S106
        padding_side="left",
        chat_template="{% for message in messages %}{{ message['content'] }}\n{% endfor %}",
    )


def _tiny_model(tokenizer: PreTrainedTokenizerFast | None) -> Qwen2ForCausalLM:
    assert tokenizer is not None
    return Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=1,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def main() -> None:
    """Train on a file of prompts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prompts", type=Path)
    parser.add_argument("--model", default="")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--reward", choices=["pass_rate", "all_pass"], default="pass_rate")
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.prompts.read_text(encoding="utf-8").splitlines()]
    with SuiteReward(asked.reward) as reward:
        for entry in train(rows, reward, out=asked.out, steps=asked.steps, model=asked.model):
            print(json.dumps(entry))  # noqa: T201


if __name__ == "__main__":
    main()
