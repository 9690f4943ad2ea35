"""Arithmetic on words that games share: hashes of positions."""


def mixed(key: int) -> int:
    """Scatter the bits of a 63-bit number: no product leaves 63 bits (compiled, an overflow is undefined)."""
    key = (key & 0x7FFF_FFFF) * 0x9E37_79B1 ^ (key >> 31) * 0x7FEB_352D
    key ^= key >> 29
    key = (key & 0x7FFF_FFFF) * 0x85EB_CA77 ^ (key >> 31) * 0x68E3_1DA5
    return key ^ key >> 32
