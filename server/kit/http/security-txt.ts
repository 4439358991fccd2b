import type { FastifyInstance } from 'fastify'

import { clock, DAY } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'
import type { Settings } from '../core/settings.ts'

const VALID_DAYS = 364

/**
 * `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities, from SECURITY_CONTACT; 404 without it. It
 * expires less than a year after the start of the day (UTC), so that the text stays constant for a day and never
 * expires.
 */
export function registerSecurityTxt(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Settings, 'securityContact' | 'publicUrl'>,
): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    if (!securityContact) throw new Refusal(404, 'There is nothing here.')
    const today = Math.floor(clock.now() / DAY) * DAY
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(today + VALID_DAYS * DAY).toISOString()}`,
      'Preferred-Languages: en',
      ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    ]
    return reply
      .header('Cache-Control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
