import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Incident } from '#contract/incidents/schema.ts'
import { again, declared, resolve } from '#tests/support/incidents.ts'
import { readPostmortem } from '#tests/support/postmortem.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, signedInAs, services } = await startTestServer()

/** Quirks of real documents: entities, addresses in angle brackets, days without an hour, rows out of order. */
const MARKDOWN = `# Harbour gate outage

## Summary

The gates of Harbour & Rail stayed shut. Advisory: <https://example.org/advisory?id=7&lang=da>

Was x < y? Nobody knew.

## Timeline

All times in UTC.

| Time               | Event                                                             |
| :----------------- | ----------------------------------------------------------------- |
| 2031-05-02         | The vendor's advisory appeared                                    |
| 2031-05-02   06:40 | Gate 4 did not open (Søren Ångström, P&amp;G desk)                |
| 2031-05-02   09:50 | Drivers' queue > 3 km, "worst since '19"                          |
| 2031-05-02   09:15 | Ship's officers told, R&amp;D asked for a patch &lt;urgent&gt;    |
| 2031-05-03         | Firmware 2.17 installed — 100 % of gates, no <b>exceptions</b>    |
| 2031-05-04 11:03   | Łukasz confirmed: Ελλάδα, Київ → all open ✓                       |

## Lessons Learned

### Working with others

- With P&O
  - The shared board worked
  - Phone list was <missing>
- Nobody owned gate 4

### General

- Don't wait for the vendor

## Attendees

- AB, CD
`

async function run(caller: Caller, markdown: string): Promise<{ incident: Incident; pdf: Buffer }> {
  const { title, summary, timeline, lessons } = readPostmortem(markdown)
  const incident = await declared(caller, { title, fullText: summary })
  for (const description of timeline) {
    const { status } = await caller.post(`/incident/${incident.id}/activity`, { type: 'UPDATE', description })
    expect(status).toBe(201)
  }
  await resolve(caller, incident)
  const saved = await caller.put('/incident', { id: incident.id, postmortemDetails: lessons })
  expect(saved.status).toBe(200)
  const report = await fetch(`${services.publicUrl()}/api/incident/file/${incident.id}?type=PDF`, {
    headers: caller.headers,
  })
  expect(report.status).toBe(200)
  return { incident: await again(caller, incident), pdf: Buffer.from(await report.arrayBuffer()) }
}

test('a real post-mortem comes back word for word', async () => {
  const caller = await signedInAs(await anOrganisation())
  const { incident, pdf } = await run(caller, MARKDOWN)
  const { timeline, summary } = readPostmortem(MARKDOWN)
  expect(timeline).toHaveLength(6)
  expect(incident.activities.map(({ description }) => description)).toEqual(timeline)
  expect(incident.previewText).toBe(summary.replace(/\s+/g, ' '))
  expect(incident.fullText).toContain('&lt;https://example.org/advisory?id=7&amp;lang=da&gt;')
  expect(incident.postmortemDetails).toContain('<li><p>Phone list was &lt;missing&gt;</p></li>')
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined
test.skipIf(!canReadPdf)('its report holds every row, in order, with every character', async () => {
  const caller = await signedInAs(await anOrganisation())
  const { pdf } = await run(caller, MARKDOWN)
  const { title, summary, timeline } = readPostmortem(MARKDOWN)
  const text = squeezed(textOf(pdf))
  let at = 0
  for (const row of [title, 'Post-Incident Analysis', 'With P&O', summary, 'Timeline', ...timeline]) {
    const found = text.indexOf(squeezed(row), at)
    expect(found, row).toBeGreaterThanOrEqual(0)
    at = found + squeezed(row).length
  }
  for (const lesson of ['The shared board worked', 'Phone list was <missing>', "Don't wait for the vendor"])
    expect(text).toContain(squeezed(lesson))
})

/** Line breaks are the report's own. */
const squeezed = (text: string) => text.replace(/\s+/g, '')
function textOf(pdf: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pdf-'))
  try {
    writeFileSync(join(folder, 'report.pdf'), pdf)
    return execFileSync('pdftotext', ['-raw', join(folder, 'report.pdf'), '-'], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
