import { BlockList, isIP } from 'node:net'

/** True for a host name or address of this machine, also `anything.localhost`. */
export const isLoopback = (host: string): boolean =>
  /^((.*\.)?localhost|(::ffff:)?127(\.\d+){3}|::1|\[::1\])$/i.test(host)

const PRIVATE = new BlockList()
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(net, prefix)
for (const [net, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv6')

/** True for an address that a carrier on the internet may reach: https, and no host of this machine or a private network. */
export function isCallable(publicUrl: string | null): publicUrl is string {
  if (publicUrl === null) return false
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' || isLoopback(hostname)) return false
  const address = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  if (version !== 0) return !PRIVATE.check(address, version === 6 ? 'ipv6' : 'ipv4')
  return hostname.includes('.') && !/\.(local|internal|lan|home\.arpa)$/.test(hostname)
}

/** Addresses of special purpose that no service on the internet has (RFC 6890), beside private ones. */
const SPECIAL = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  SPECIAL.addSubnet(net, prefix)
for (const [net, prefix] of [
  // Unspecified, loopback and IPv4-compatible addresses.
  ['::', 96],
  // Networks that carry an IPv4 address, which may be a private one.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  SPECIAL.addSubnet(net, prefix, 'ipv6')

/** True for an IP address on the internet: not of this machine, a private or link-local network or a special purpose. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return !PRIVATE.check(address, family) && !SPECIAL.check(address, family)
}
