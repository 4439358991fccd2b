import { SignJWT } from 'jose'

import { clock, HOUR, SECOND } from '../core/clock.ts'

/** An organisation's account of the hosted chat service. */
export interface ServiceAccount {
  /** The public key, known to browsers too. */
  readonly key: string
  readonly secret: string
  /** URL of the service's API, no trailing slash. */
  readonly url: string
}

/** Owner name that the secret of a key is sealed with. */
export const sealedFor = (key: string): string => `chat credentials ${key}`

const TIMEOUT = 10 * SECOND
/** Life of a personal token. Browsers request the next one. */
const TOKEN_LIFE = HOUR
/** Tolerance for a service clock that is behind ours. */
const SKEW = 30 * SECOND

/** An error response of the service, or none at all. */
export class ServiceProblem extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The service's own error code. */
  readonly code: number | null
  constructor(message: string, status: number, code: number | null = null) {
    super(message)
    this.name = 'ServiceProblem'
    this.status = status
    this.code = code
  }
}

const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret)
const seconds = (time: number): number => Math.floor(time / SECOND)

/** A token that connects one person's browser to the service, for an hour. */
export async function serviceTokenOf(
  { secret }: Pick<ServiceAccount, 'secret'>,
  userId: string,
): Promise<string> {
  const now = clock.now()
  return new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(seconds(now - SKEW))
    .setExpirationTime(seconds(now + TOKEN_LIFE))
    .sign(keyOf(secret))
}

interface ServiceReply {
  readonly code?: number
  readonly message?: string
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The service's REST interface, called as the organisation's server. */
export interface ChatService {
  /**
   * Returns the response body.
   * @throws ServiceProblem where the service refuses, or does not answer within ten seconds
   */
  call<T = unknown>(method: Method, path: string, body?: object): Promise<T>
}

/** A client of the service for the organisation's server. Connects with the first call. */
export function chatServiceOf({ key, secret, url }: ServiceAccount): ChatService {
  let token: Promise<string> | undefined
  const serverToken = () =>
    (token ??= new SignJWT({ server: true })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(keyOf(secret)))
  return {
    async call<T>(method: Method, path: string, body?: object): Promise<T> {
      const authorization = await serverToken()
      const address = new URL(url + path)
      address.searchParams.set('api_key', key)
      const response = await fetch(address, {
        method,
        headers: {
          Authorization: authorization,
          'stream-auth-type': 'jwt',
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT),
      }).catch((error: Error & { cause?: { message?: string } }) => {
        throw new ServiceProblem(
          `The chat service cannot be reached: ${error.cause?.message ?? error.message}`,
          0,
        )
      })
      const reply = (await response.json().catch(() => ({}))) as ServiceReply
      if (response.ok) return reply as T
      const { message = `It answered ${response.status}.`, code = null } = reply
      throw new ServiceProblem(`The chat service: ${message}`, response.status, code)
    },
  }
}
