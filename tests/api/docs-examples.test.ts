import { expect, test } from 'vitest'

import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, send, signedInAs } = await startTestServer()

/** The shell examples of the API reference, as copied. */
async function printed(): Promise<string[]> {
  const { text } = await send('GET', '/docs')
  const lines = [...text.matchAll(/<pre[^>]*><code>([^<]*)<\/code><\/pre>/g)].map((match) => match[1]!)
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
  return lines.map((line) => line.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole))
}

/** Splits a line as a shell does: quotes, and variables outside of single ones. */
function wordsOf(line: string, variables: Record<string, string>): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [part] of line.matchAll(/'[^']*'|"[^"]*"|\\.|\s+|[^\s'"\\]+/g)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (part.startsWith("'")) word = (word ?? '') + part.slice(1, -1)
    else if (part.startsWith('\\')) word = (word ?? '') + part.slice(1)
    else
      word =
        (word ?? '') +
        part.replace(/^"|"$/g, '').replace(/\$([A-Z]+)/g, (_, name: string) => {
          expect(variables, `the line uses $${name}`).toHaveProperty(name)
          return variables[name]!
        })
  }
  return word === undefined ? words : [...words, word]
}

/** The file of people that a reader has. */
const PEOPLE = 'Name,Email Address,Phone Number,Contact List\nDi,di@example.org,,Board\n'
/** Runs a line as curl would. */
async function run(line: string, variables: Record<string, string>) {
  const [program, ...words] = wordsOf(line, variables)
  expect(program).toBe('curl')
  const headers: Record<string, string> = {}
  let [method, body, url]: (string | undefined)[] = []
  let form: FormData | undefined
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-H') {
      const [name, value] = words.shift()!.split(/: (.*)/)
      headers[name!] = value!
    } else if (word === '-d') body = words.shift()
    else if (word === '-F') {
      const [name = '', value = ''] = words.shift()!.split(/=(.*)/)
      form ??= new FormData()
      if (value.startsWith('@')) form.append(name, new Blob([PEOPLE]), value.slice(1))
      else form.append(name, value)
    } else if (word === '-X') method = words.shift()
    else {
      expect(word).toMatch(/^http/)
      url = word
    }
  }
  const answer = await fetch(url!, {
    method: method ?? (body === undefined && !form ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
    ...(form && { body: form }),
  })
  return { status: answer.status, body: await answer.json() }
}

test('every line of the reading page does what it says, with the key of an administrator', async () => {
  const admin = await signedInAs(await anOrganisation({ contactsAndMassNotificationsEnabled: true }), 'ADMIN')
  const made = await admin.post('/apiManagement/credentials', { name: 'Reader of the page' })
  const variables: Record<string, string> = { KEY: made.body.key }
  const lines = await printed()
  const statuses: number[] = []
  for (const line of lines) {
    const { status, body } = await run(line, variables)
    expect(status, `${line} answered ${JSON.stringify(body)}`).toBeLessThan(300)
    // The page tells readers to set this variable.
    if (status === 201) variables['INCIDENT'] ??= body.id
    statuses.push(status)
  }
  expect(statuses).toEqual([201, 201, 201, 200, 201, 200, 201])

  const { body: incident } = await admin.get(`/incident/${variables['INCIDENT']}`)
  expect(incident).toMatchObject({
    title: 'Power failure in building 2',
    severity: 'HIGH',
    createdBy: 'Reader of the page',
  })
  const [sent] = (await admin.get('/massNotification/history')).body
  const { deliveries } = (await admin.get(`/massNotification/history/${sent.id}`)).body
  expect(deliveries.map((one: { type: string; sent: number }) => [one.type, one.sent])).toEqual([
    ['EMAIL', 2],
    ['SMS', 1],
  ])
  expect(incident.fullText).toContain('The provider expects two hours.')
  expect(incident.activities.map(({ type }: { type: string }) => type).toSorted()).toEqual(['TASK', 'UPDATE'])
  expect(incident.activities).toContainEqual(
    expect.objectContaining({ description: 'The generator is running. Servers are safe until 18:00.' }),
  )
})

test('a line without the key, or with one that is gone, is refused', async () => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  const { body } = await admin.post('/apiManagement/credentials', { name: 'Gone' })
  await admin.delete(`/apiManagement/credentials/${body.id}`)
  const [first] = await printed()
  expect((await run(first!, { KEY: body.key })).status).toBe(401)
  expect((await run(first!, { KEY: '' })).status).toBe(401)
})
