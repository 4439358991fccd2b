import * as z from 'zod/mini'

const [v4, v6, range4, range6] = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]
const is = (kind: z.ZodMiniType, value: string) => kind.safeParse(value).success

/**
 * True for an IPv4 or IPv6 address or a CIDR range (administration §5). Refuses ambiguous spellings: leading
 * zeros, zones, inner spaces.
 */
export const isAddressOrRange = (entry: string): boolean =>
  [v4, v6, range4, range6].some((kind) => is(kind, entry))

/** IPv6 address in the canonical form of browsers and Node (RFC 5952). */
const shortest = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1)
/** The IPv4 address inside an IPv4-mapped IPv6 address. */
function mapped(address: string): string | undefined {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (!groups) return undefined
  const bytes = [groups[1]!, groups[2]!].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return bytes.join('.')
}

/**
 * The canonical form of an address or range, so that a list has no duplicates: `::FFFF:10.0.0.1` becomes `10.0.0.1`,
 * and a range of one address becomes that address. Returns invalid input unchanged.
 */
export function canonicalEntry(entry: string): string {
  if (!isAddressOrRange(entry)) return entry
  const [address = '', prefix] = entry.toLowerCase().split('/')
  const bits = prefix === undefined ? undefined : Number(prefix)
  if (is(v4, address)) return bits === undefined || bits === 32 ? address : `${address}/${bits}`
  const written = shortest(address)
  const plain = mapped(written)
  if (plain === undefined) return bits === undefined || bits === 128 ? written : `${written}/${bits}`
  if (bits === undefined || bits === 128) return plain
  return bits >= 96 ? `${plain}/${bits - 96}` : `${written}/${bits}`
}

export const isExpired = (key: { readonly expiresTimestamp: string | null }, now: number): boolean =>
  key.expiresTimestamp !== null && Date.parse(key.expiresTimestamp) <= now
