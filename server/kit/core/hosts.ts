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
