import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { PopulatedIncident } from '#contract/incidents/schema.ts'
import { open, pageReloads, sessionEnds, signedIn } from '#tests/support/client.tsx'
import {
  at,
  aWhole,
  feedOf,
  hearing,
  preparePages,
  refused,
  resolved,
  serving,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

describe('the analysis', () => {
  const write = async (user: ReturnType<typeof open>, words: string) => {
    const area = await screen.findByRole('textbox', { name: 'Analysis' })
    await user.click(area)
    await user.keyboard(words)
    return area
  }
  const analysis = (incident: PopulatedIncident) => {
    signedIn('USER')
    feedOf([])
    const served = serving(incident)
    return { ...served, user: open(`/incidents/${uuid(1)}/post-incident-analysis`) }
  }

  test('is saved by asking for the incident and sending it back', async () => {
    const { user, asked } = analysis(aWhole({ ...resolved, isTabletop: true, type: 'exercise' }))
    const answer = Promise.withResolvers<void>()
    const saved = hearing('put', '/incident', async ({ body }) => {
      await answer.promise
      return aWhole({ ...resolved, postmortemDetails: body.postmortemDetails })
    })
    expect(await screen.findByRole('heading', { name: 'Post-Exercise Analysis' })).toBeVisible()
    await write(user, 'We were quick.')
    const before = asked.urls.length
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled()
    answer.resolve()
    await at(`/incidents/${uuid(1)}`)
    expect(asked.urls.length).toBe(before + 1)
    expect(saved.bodies[0]).toMatchObject({
      id: uuid(1),
      title: 'Ransomware in the payment network',
      postmortemDetails: '<p>We were quick.</p>',
      version: 1,
    })
    // The editor with the same text disappears first.
    await waitFor(() => expect(screen.getByText('We were quick.')).toBeVisible())
  })

  test.each([
    ['the session ended', sessionEnds, 'you were signed out'],
    ['a reload', pageReloads, 'the page was reloaded'],
  ])('is there again after %s, on top of what it was then', async (_, leave, words) => {
    const { user } = analysis(aWhole(resolved))
    await write(user, 'We were quick.')
    await leave()
    const again = analysis(aWhole({ ...resolved, version: 2 }))
    expect(await screen.findByText(new RegExp(`^What you typed before ${words} is back`))).toBeVisible()
    expect(await screen.findByText('We were quick.')).toBeVisible()
    const asked = hearing('put', '/incident', () => refused(409, 'Somebody changed this.', { code: 'stale' }))
    await again.user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText(/Somebody changed this/)).toBeVisible()
    expect(asked.bodies[0]).toMatchObject({ postmortemDetails: '<p>We were quick.</p>', version: 1 })
  })

  test('asks before what is typed is discarded', async () => {
    const { user } = analysis(aWhole(resolved))
    await write(user, 'Draft')
    await user.click(screen.getByRole('link', { name: 'Close' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    expect(
      dialog.getByText('You have unsaved changes. Are you sure you want to leave this page?'),
    ).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
    expect(screen.getByText('Draft')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Close' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('leaves without asking when nothing is typed', async () => {
    const { user } = analysis(
      aWhole({ ...resolved, postmortemDetails: '<p>Done</p><ul><li><p>x</p></li></ul>' }),
    )
    await screen.findByRole('textbox', { name: 'Analysis' })
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
    await user.click(screen.getByRole('link', { name: 'Close' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('leaves without asking when nothing but space is typed', async () => {
    const { user } = analysis(aWhole(resolved))
    await write(user, '   ')
    expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled()
    await user.click(screen.getByRole('link', { name: 'Close' }))
    await at(`/incidents/${uuid(1)}`)
  })

  test('says when it is too long', async () => {
    const { user } = analysis(aWhole({ ...resolved, postmortemDetails: `<p>${'x'.repeat(23_990)}</p>` }))
    await write(user, 'More.')
    expect(await screen.findByText(/^Maximum length of 24000 characters exceeded\./)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled()
  })

  test('keeps the text when it cannot be saved', async () => {
    const { user } = analysis(aWhole(resolved))
    hearing('put', '/incident', () => refused(500, 'x'))
    await write(user, 'Draft')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Something went wrong.')).toBeVisible()
    expect(screen.getByText('Draft')).toBeVisible()
  })

  test('is not written while the incident is active', async () => {
    analysis(aWhole())
    await at(`/incidents/${uuid(1)}`)
  })

  test('leads to the list when the incident cannot be loaded', async () => {
    signedIn('USER')
    feedOf([])
    hearing('get', `/incident/${uuid(1)}`, () => refused(500, 'x'))
    open(`/incidents/${uuid(1)}/post-incident-analysis`)
    await at('/incidents')
  })
})
