import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import type { PlaybookShare } from '#contract/playbook-shares/schema.ts'
import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { formWith } from '#tests/support/attachments.ts'
import { PDF } from '#tests/support/files.ts'
import { HEADING, PLAYBOOK, TASK } from '#tests/support/playbooks.ts'
import { DEMO_PASSWORD, inDatabase, type Product, startProduct } from '#tests/support/product.ts'

const COPIES = 30

/** Calls as the administrator of one of the demonstration's organisations. */
async function asAdministrator({ url }: Product, code: string, email: string) {
  const send = async <T>(method: string, path: string, body?: unknown, signedIn: object = {}): Promise<T> => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}), ...signedIn },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
    return (await answer.json()) as T
  }
  const session = await send<{ authenticationToken: string }>('POST', '/authentication/upass', {
    email,
    password: DEMO_PASSWORD,
    enterpriseCode: code,
  })
  const headers = { Authorization: `Bearer ${session.authenticationToken}`, 'Enterprise-Code': code }
  return <T>(method: string, path: string, body?: unknown) => send<T>(method, path, body, headers)
}
const asParent = (product: Product) => asAdministrator(product, 'demo', 'admin@demo.example')

test('kill -9 in the middle of a share neither loses nor doubles a copy', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-share-'))
  const first = await startProduct({}, folder)
  let second: Product | undefined
  try {
    await inDatabase(folder, (client) =>
      client.query(`update organisations set config = config || '{"playbookMaxTemplates": 100}'`),
    )
    const parent = await asParent(first)
    const playbookIds: string[] = []
    for (let n = 0; n < COPIES; n += 1) {
      const body = { name: `Shared ${n}`, activities: [HEADING, TASK] }
      const { id } = await parent<PlaybookTemplate>('POST', PLAYBOOK, body)
      await parent('POST', `/fa/PLAYBOOK/${id}`, formWith(PDF, 'plan.pdf'))
      playbookIds.push(id)
    }
    const [child] = await parent<{ enterpriseId: string }[]>('GET', '/crossEnterprises/enterprises')
    const share = await parent<PlaybookShare>('POST', '/crossEnterprises/playbook/share', {
      playbookIds,
      childEnterpriseIds: [child!.enterpriseId],
    })
    const progress = `/crossEnterprises/playbook/shares/${share.id}`
    await vi.waitFor(
      async () => expect((await parent<PlaybookShare>('GET', progress)).progress).toBeGreaterThan(0),
      { interval: 5 },
    )
    await first.kill('SIGKILL')

    second = await startProduct({}, folder)
    const again = await asParent(second)
    await vi.waitFor(async () => expect((await again<PlaybookShare>('GET', progress)).state).toBe('DONE'), {
      interval: 200,
    })
    const copies = await inDatabase(folder, (client) =>
      client.query<{ name: string; files: string }>(
        `select p.name, (select count(*) from attachments f where f.playbook_id = p.id) as files
           from playbooks p where p.organisation_id = $1 and p.share_id = $2`,
        [child!.enterpriseId, share.id],
      ),
    )
    expect(new Set(copies.rows.map(({ name }) => name)).size).toBe(COPIES)
    expect(copies.rows).toHaveLength(COPIES)
    expect(copies.rows.every(({ files }) => Number(files) === 1)).toBe(true)
  } finally {
    await first.kill('SIGKILL')
    await second?.crash()
    await rm(folder, { recursive: true, force: true })
  }
})
