"""Addresses for places that may have to be apart, found by trying all of them: the truth about least peaks.

A pair (p, q) of places has to be apart by [below, above, equal]: q starts at least `below` bytes above the start of
p, or p at least `above` bytes above that of q, or, where `equal` is true, both start at the same byte.
"""
import itertools

MOST_TRIED = 200  # ways that are shown to accept
MOST_STEPS = 5000  # of one search, which then gives up: it finds fewer faults, never one that is none


def demand(pairs, p, p_bytes, q, q_bytes, equal=False):
    """Adds that p, of which p_bytes are in use, and q, of which q_bytes are, share no byte, unless they are equal."""
    if p == q or not p_bytes or not q_bytes:
        return
    if p > q:
        p, p_bytes, q, q_bytes = q, q_bytes, p, p_bytes
    old = pairs.get((p, q))
    if old:
        old[:] = max(old[0], p_bytes), max(old[1], q_bytes), old[2] and equal
    else:
        pairs[p, q] = [p_bytes, q_bytes, equal]


def fits(size, pairs, capacity):
    """The ways to give the places in size addresses so that all end below capacity and are apart as pairs demand."""
    steps = 0
    near = {p: {} for p in size}
    for (p, q), (below, above, equal) in pairs.items():
        near[p][q] = below, above, equal
        near[q][p] = above, below, equal
    if any(bytes > capacity for bytes in size.values()):
        return

    def place(left, found):
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS:
            return
        if not left:
            yield found
            return
        p = min(left, key=lambda name: (left[name].bit_count(), -len(near[name]), -size[name]))  # the one with the fewest addresses
        free = left[p]
        while free:
            bit = free & -free
            free -= bit
            address = bit.bit_length() - 1
            rest = {}
            for q, domain in left.items():
                if q == p:
                    continue
                if q in near[p]:
                    below, above, equal = near[p][q]
                    kept = domain >> (address + below) << (address + below)
                    if address >= above:
                        kept |= domain & ((2 << (address - above)) - 1)
                    domain = kept | (domain & bit if equal else 0)
                    if not domain:
                        break
                rest[q] = domain
            else:
                yield from place(rest, {**found, p: address})

    yield from place({p: (2 << (capacity - bytes)) - 1 for p, bytes in size.items()}, {})


def least(size, pairs, below, accept):
    """The least peak under `below` with addresses that are accepted, or None where none was found."""
    best = None
    while below > 0:
        few = itertools.islice(fits(size, pairs, below - 1), MOST_TRIED)
        found = next((each for each in few if accept(each)), None)
        if found is None:
            break
        below = max((found[p] + size[p] for p in found), default=0)
        best = below, found
    return best
