import re


def with_handles(value, handles):
    """The arguments of a gold call with the handles of this run for its labels."""
    if isinstance(value, str):
        label = re.fullmatch(r"\$(.+)\$", value)
        return f"${handles[label[1]]}$" if label and label[1] in handles else value
    if isinstance(value, list):
        return [with_handles(item, handles) for item in value]
    if isinstance(value, dict):
        return {key: with_handles(item, handles) for key, item in value.items()}
    return value
