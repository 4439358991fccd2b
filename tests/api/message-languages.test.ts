import { expect, test } from 'vitest'

import { inWords, wordsOf } from '#server/kit/messages/words.ts'
import { startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer({ SIMULATOR: '1' })
const PATH = '/massNotification'
const question = {
  answers: [
    { label: 'Sicher', tone: 'GOOD' },
    { label: 'Hilfe', tone: 'ATTENTION' },
  ],
}

test('an SMS and the answer page speak the language of the organisation', async () => {
  const org = await muster.anOrganisation({
    contactsAndMassNotificationsEnabled: true,
    voiceLanguage: 'de-CH',
  })
  const admin = await muster.signedInAs(org, 'ADMIN')
  await admin.post('/contact', [{ name: 'Ana', email: 'a@example.org', phone: '+14165550100', list: 'All' }])
  const words = { types: ['SMS'], smsMessage: 'Feuer an Tor 2', contactListIds: ['All'], question }
  const sent = await admin.post(PATH, words)
  expect(sent.status).toBe(201)
  expect((await admin.get(PATH)).body.words).toEqual({
    answer: 'Antworten:',
    reply: 'Antworten Sie mit',
    press: 'Drücken Sie {key} für {answer}.',
  })
  const outbox = await muster.send('GET', '/outbox', { headers: { Accept: 'application/json' } })
  const [{ text }] = outbox.body as [{ text: string }]
  expect(text).toMatch(/\nAntworten: http\S+\nAntworten Sie mit 1 Sicher, 2 Hilfe$/)

  const link = /http\S+/.exec(text)![0]
  const page = async () => (await fetch(link)).text()
  const before = await page()
  for (const part of ['<html lang="de">', 'Notiz hinzufügen', 'Dieser Link ist für <bdi>Ana</bdi>.'])
    expect(before).toContain(part)
  const post = async (sent: Record<string, string>) =>
    (await fetch(link, { method: 'POST', body: new URLSearchParams(sent) })).text()
  expect(await post({})).toContain('Bitte wählen Sie eine Antwort.')
  expect(await post({ answer: '0', note: 'x'.repeat(281) })).toContain(
    'Eine Notiz hat höchstens 280 Zeichen.',
  )
  await post({ answer: '0' })
  expect(await page()).toMatch(/Ihre Antwort:[\s\S]*Sie können sie bis\s+<time[^>]+>\d+\. \S+ \d{4}/)
  await admin.post(`${PATH}/history/${sent.body.id}/close`)
  expect(await page()).toContain('Diese Frage nimmt keine Antworten mehr an.')
  // The language of the time of the send stays; labels and names are never read as ours.
  expect(inWords('{name} {answer}', { name: '{answer}', answer: '$&' })).toBe('{answer} $&')
})

test('a template has a language of its own, which its calls are spoken in', async () => {
  const org = await muster.anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await muster.signedInAs(org, 'ADMIN')
  await admin.post('/contact', [{ name: 'Ana', email: 'a@example.org', phone: '+14165550100', list: 'All' }])
  const body = { title: 'Feu', level: 'NORMAL', smsMessage: 'Feu au quai 2', emailMessage: null, question }
  const path = `${PATH}/template`
  const refused = await admin.post(path, { ...body, language: 'xx' })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['language']])
  const template = await admin.post(path, { ...body, language: 'fr-CA' })
  expect(template.body).toMatchObject({ language: 'fr-CA' })
  // A program that does not know of languages keeps it.
  const { id, version } = template.body as { id: string; version: number }
  const changed = await admin.put(`${path}/${id}`, { ...body, title: 'Incendie', version })
  expect(changed.body).toMatchObject({ title: 'Incendie', language: 'fr-CA' })

  const sent = await admin.post(PATH, {
    types: ['SMS', 'VOICE_CALL'],
    smsMessage: body.smsMessage,
    contactListIds: ['All'],
    question,
    language: 'fr-CA',
  })
  expect(sent.body).toMatchObject({ language: 'fr-CA' })
  const contents = await muster.inside(org, (db) =>
    db.selectFrom('message_contents').select(['language', 'text']).execute(),
  )
  expect(contents.find(({ language }) => language !== null)).toMatchObject({ language: 'fr-CA' })
  expect(contents.some(({ text }) => text?.includes('Répondez'))).toBe(true)
})

test('a language without sentences has the English ones', () => {
  expect(wordsOf('ja-JP')).toEqual(wordsOf('en-GB'))
  expect(wordsOf('constructor').language).toBe('en')
  expect(wordsOf('PT-BR').language).toBe('pt')
})
