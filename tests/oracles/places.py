"""Addresses for places that may have to be apart, found by trying all of them: the truth about least peaks.

A pair (p, q) of places has to be apart by [below, above, equal]: q starts at least `below` bytes above the start of
p, or p at least `above` bytes above that of q, or, where `equal` is true, both start at the same byte.
"""


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


def fit(size, pairs, capacity):
    """Addresses for the places in size, all below capacity and apart as pairs demand, or None: all are tried."""
    near = {p: {} for p in size}
    for (p, q), (below, above, equal) in pairs.items():
        near[p][q] = below, above, equal
        near[q][p] = above, below, equal
    if any(bytes > capacity for bytes in size.values()):
        return None

    def place(left, found):
        if not left:
            return found
        p = min(left, key=lambda name: (left[name].bit_count(), -size[name]))  # the one with the fewest addresses
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
                answer = place(rest, {**found, p: address})
                if answer is not None:
                    return answer
        return None

    return place({p: (2 << (capacity - bytes)) - 1 for p, bytes in size.items()}, {})


def least(size, pairs, below):
    """The least peak under `below` with its addresses, or None where no placement has one."""
    best = None
    while below > 0:
        found = fit(size, pairs, below - 1)
        if found is None:
            break
        below = max((found[p] + size[p] for p in found), default=0)
        best = below, found
    return best
