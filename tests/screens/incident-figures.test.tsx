import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { IncidentFigures } from '#contract/incident-figures/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { hearing, preparePages } from '#tests/support/client-incidents.ts'

preparePages()

const span = (median: number, most: number) => ({ median, most })
const figures: IncidentFigures = {
  all: { count: 3, checkIn: span(3, 5), update: span(20, 28), resolution: span(90, 1_500) },
  months: [
    {
      key: '2026-03',
      name: null,
      count: 2,
      checkIn: span(3, 5),
      update: span(20, 28),
      resolution: span(90, 1_500),
    },
    { key: '2026-04', name: null, count: 1, checkIn: null, update: span(20, 20), resolution: null },
  ],
  severities: [{ key: 'HIGH', name: null, count: 3, checkIn: null, update: null, resolution: null }],
  kinds: [
    { key: 'a', name: 'Fire', count: 1, checkIn: null, update: null, resolution: null },
    { key: '', name: null, count: 2, checkIn: null, update: null, resolution: null },
  ],
}
const table = async () => within(await screen.findByRole('region', { name: 'All figures' }))

describe('the figures across incidents', () => {
  test('stand in a table of what is chosen, with times in words', async () => {
    signedIn('USER')
    const asked = hearing('get', '/incidentFigures', () => figures)
    const user = open('/incidents/figures')
    const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) })
    await table()
    expect(row('Mar 2026')).toHaveTextContent(/2.*3 min.*5 min.*20 min.*28 min.*1 h 30 min.*1 day 1 h/)
    expect(row('Apr 2026')).toHaveTextContent('–')
    expect(row('All')).toHaveTextContent('3')
    await user.click(screen.getByRole('combobox', { name: 'By' }))
    await user.click(await screen.findByRole('option', { name: 'Kind' }))
    expect(await screen.findByRole('row', { name: /^Fire/ })).toBeVisible()
    expect(row('No kind')).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Incidents or exercises' }))
    await user.click(await screen.findByRole('option', { name: 'Exercises' }))
    await table()
    expect(asked.urls.map(({ searchParams }) => searchParams.get('isTabletop'))).toEqual(['false', 'true'])
    expect(location.search).toBe('?by=kinds&what=exercises')
  })

  test('say that there is nothing, or that they could not be loaded', async () => {
    signedIn('USER')
    answer('get', '/incidentFigures', { code: 'failed', message: 'No.' }, 500)
    const user = open('/incidents/figures')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    answer('get', '/incidentFigures', {
      ...figures,
      all: { count: 0, checkIn: null, update: null, resolution: null },
    })
    await user.click(retry)
    expect(await screen.findByText('Nothing was declared in this period.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save as CSV' })).toBeDisabled()
  })
})
