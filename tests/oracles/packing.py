"""Whether buffers fit: a search over every offset, with the offsets that are left kept as bits of a number."""

MOST_PLACES = 20000


def heaviest(windows):
    """The most bytes of windows that all have to be apart: no fewer are enough."""
    bytes_of, apart = {}, {}
    for (i, j), pairs in windows.items():
        for a, b, c, d in pairs:
            bytes_of[i, a, b], bytes_of[j, c, d] = b - a, d - c
            apart.setdefault((i, a, b), set()).add((j, c, d))
            apart.setdefault((j, c, d), set()).add((i, a, b))

    def grow(found, among):
        most = found
        for key in sorted(among, key=bytes_of.get, reverse=True):
            if found + sum(bytes_of[other] for other in among) <= most:
                break
            most = max(most, grow(found + bytes_of[key], among & apart[key]))
            among = among - {key}
        return most
    return grow(0, frozenset(bytes_of))


def fits(sizes, steps, fixed, windows, capacity):
    """A list of offsets that end at most at capacity; None where there is none, or none was among MOST_PLACES places tried.

    steps[i] divides the offset of i; fixed[i] is its only offset, or None. windows is {(i, j): [(a, b, c, d), ..]}: bytes [a, b)
    of i and [c, d) of j must not meet. Nothing is assumed about where offsets lie in good plans: all are tried.
    """
    if heaviest(windows) > capacity:
        return None
    left = []
    for size, step, only in zip(sizes, steps, fixed):
        offsets = range(0, capacity - size + 1, step)
        left.append(sum(1 << o for o in offsets if only is None or o == only))
    apart = [{} for _ in sizes]  # apart[i][j]: which differences offset of j - offset of i are forbidden
    for (i, j), pairs in windows.items():
        for a, b, c, d in pairs:
            for difference in range(a - d + 1, b - c):
                apart[i].setdefault(j, set()).add(difference)
                apart[j].setdefault(i, set()).add(-difference)
    # As bits, moved up by capacity, so that placing i at o forbids in j the bits moved by o.
    masks = [{j: sum(1 << (d + capacity) for d in s if d + capacity >= 0) for j, s in row.items()} for row in apart]
    tried = 0

    def place(left, waiting, chosen):
        nonlocal tried
        if not waiting:
            return chosen
        i = min(waiting, key=lambda k: (left[k].bit_count(), -sizes[k]))
        others = waiting - {i}
        offsets = left[i]
        while offsets:
            offset = (offsets & -offsets).bit_length() - 1
            offsets &= offsets - 1
            tried += 1
            if tried > MOST_PLACES:
                return None
            after = dict(left)
            for j, mask in masks[i].items():
                if j in others:
                    after[j] &= ~(mask << offset >> capacity)
                    if not after[j]:
                        break
            else:
                found = place(after, others, {**chosen, i: offset})
                if found is not None:
                    return found
        return None

    found = place(dict(enumerate(left)), frozenset(range(len(sizes))), {})
    return found if found is None else [found[i] for i in range(len(sizes))]


def meets(offsets, windows):
    """A pair of buffers whose windows meet under these offsets, or None."""
    for (i, j), pairs in windows.items():
        for a, b, c, d in pairs:
            if max(offsets[i] + a, offsets[j] + c) < min(offsets[i] + b, offsets[j] + d):
                return i, j
    return None
