import { networkInterfaces } from 'node:os'

import type { FastifyRequest } from 'fastify'

import { isLoopback } from '../core/hosts.ts'
import type { Settings } from '../core/settings.ts'

/** The product's own origins (scheme, host, port); links use the first one. */
export interface Origins {
  /** PUBLIC_URL, or the address that the product listens on. */
  readonly publicUrl: () => string
  /**
   * The product's address for a request. Without PUBLIC_URL, the host name of the request while it names this machine,
   * because `localhost` and `127.0.0.1` are two origins to a browser. Any other Host header may be forged: then
   * `publicUrl`.
   */
  readonly of: (request: Pick<FastifyRequest, 'host' | 'protocol'>) => string
  /** True when an Origin header names the product itself. */
  readonly includes: (origin: string, request: Pick<FastifyRequest, 'host' | 'protocol'>) => boolean
}

const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i
const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    // IPv4 first: link-local IPv6 addresses need a zone, which a URL does not carry.
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => bracketed(address))

/** @param port the port that the product listens on, once it does */
export function makeOrigins(
  { publicUrl, host }: Pick<Settings, 'publicUrl' | 'host'>,
  port: () => number,
): Origins {
  const listening = () =>
    `http://${isWildcard(host) ? (ownAddresses()[0] ?? '127.0.0.1') : bracketed(host)}:${port()}`
  const canonical = () => publicUrl ?? listening()

  /** True when a Host header names this machine. Loopback names may carry the port of a proxy in front. */
  function isOwn(given: string): boolean {
    if (!HOST.test(given)) return false
    const name = given.replace(/:\d+$/, '').toLowerCase()
    if (isLoopback(name)) return true
    if (given !== name && Number(given.slice(name.length + 1)) !== port()) return false
    if (given === name && port() !== 80) return false
    return isWildcard(host)
      ? [host, ...ownAddresses()].includes(name)
      : name === bracketed(host).toLowerCase()
  }
  const named = ({ host: given, protocol }: Pick<FastifyRequest, 'host' | 'protocol'>) =>
    isOwn(given ?? '') ? `${protocol === 'https' ? 'https' : 'http'}://${given}` : null

  return {
    publicUrl: canonical,
    of: (request) => publicUrl ?? named(request) ?? canonical(),
    includes: (origin, request) =>
      origin === new URL(canonical()).origin || origin.toLowerCase() === named(request)?.toLowerCase(),
  }
}
