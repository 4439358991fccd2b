import { type BrowserContextOptions, expect, type Page } from '@playwright/test'

import { addOrganisation, DEMO_PASSWORD, signIn as sessionOf } from '../support/product.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const DUPLICATE = 'Smoke near the booking servers'
const INCIDENT = 'Loss of the booking servers'

type Call = Awaited<ReturnType<typeof sessionOf>>['call']

/** Two incidents of one cause, with a task of the administrator in each. */
async function twoIncidents(call: Call, assignedTo: string): Promise<{ id: string; number: string }[]> {
  const made: { id: string; number: string }[] = []
  for (const title of [INCIDENT, DUPLICATE]) {
    // oxlint-disable-next-line no-await-in-loop -- the numbers follow the order
    const { status, body } = await call('POST', '/incident', { title, fullText: '<p>Water at pump 3.</p>' })
    expect(status, JSON.stringify(body)).toBe(201)
    const task = { title: `Close the valve of ${title}`, description: 'The red one.', assignedTo }
    // oxlint-disable-next-line no-await-in-loop -- below the incident
    await call('POST', `/incident/${body.id}/activity`, task)
    made.push({ id: body.id, number: body.number })
  }
  return made
}

/** Chooses an act of the menu behind the dots. */
async function choose(page: Page, item: string) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  return page.getByRole('dialog')
}

/** Moves the first task to the right by the keyboard, and back by dragging where there is a mouse. */
async function useBoard(page: Page, title: string, hasMouse: boolean) {
  await page.getByRole('tab', { name: 'Board' }).click()
  const card = page.getByRole('group', { name: new RegExp(`^${title}`) })
  await card.focus()
  await page.keyboard.press('ArrowRight')
  const progress = page.getByRole('region', { name: /^In Progress/ })
  await expect(progress.getByRole('group', { name: `${title}, In Progress` })).toBeFocused()
  await expect(page.getByText(`“${title}” is now in In Progress.`)).toBeAttached()
  await isAccessible(page)
  if (hasMouse) {
    const target = page.getByRole('region', { name: /^Complete/ })
    await card.hover()
    await page.mouse.down()
    const box = (await target.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 8 })
    await page.mouse.up()
    await expect(target.getByRole('group', { name: `${title}, Complete` })).toBeVisible()
  } else {
    await page.getByRole('button', { name: `Move “${title}”` }).click()
    await page.getByRole('menuitem', { name: 'Move to Complete' }).click()
    await expect(page.getByRole('group', { name: `${title}, Complete` })).toBeAttached()
  }
  await page.getByRole('tab', { name: 'Story' }).click()
}

const WIDTHS: readonly (readonly [string, BrowserContextOptions, boolean])[] = [
  ['a desktop', {}, true],
  ['a phone', { ...PHONE, colorScheme: 'dark' }, false],
]

for (const [width, options, hasMouse] of WIDTHS)
  test(`what went wrong is corrected on ${width}`, async ({ browser }) => {
    const code = `correct-${hasMouse ? 'wide' : 'narrow'}`
    const admin = await addOrganisation(testServer.dataDir, code, { multiIncident: true })
    const { call } = await sessionOf(testServer.url, admin, DEMO_PASSWORD, code)
    const [incident, duplicate] = await twoIncidents(call, admin)
    const page = await aBrowser(browser, options)
    await signIn(page, admin, code)

    await test.step('the tasks of all incidents stand in one list', async () => {
      await page.goto('/my-tasks')
      const task = `Close the valve of ${DUPLICATE}`
      await expect(page.getByRole('link', { name: task })).toBeVisible()
      await page.getByRole('button', { name: `Start: ${task}` }).click()
      await expect(page.getByText(`“${task}” is in progress.`)).toBeVisible()
      await isAccessible(page)
    })

    await test.step('the severity changes with its reason', async () => {
      await page.goto(`/incidents/${incident!.id}`)
      await expect(page.getByText(incident!.number).first()).toBeVisible()
      const dialog = await choose(page, 'Change severity')
      await dialog.getByRole('button', { name: 'Critical' }).click()
      await dialog.getByRole('textbox', { name: /^Reason/ }).fill('A second site is down.')
      await isAccessible(page)
      await dialog.getByRole('button', { name: 'Change severity' }).click()
      await expect(page.getByText('Critical severity').first()).toBeVisible()
    })

    await test.step('tasks move on the board', () =>
      useBoard(page, `Close the valve of ${INCIDENT}`, hasMouse))

    await test.step('it ends as a false alarm, and is reopened', async () => {
      const resolve = page.getByRole('button', { name: 'Resolve', exact: true })
      if (hasMouse) await resolve.click()
      else await choose(page, 'Resolve')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: 'A false alarm' }).check()
      await dialog.getByRole('textbox', { name: /false alarm/ }).fill('A test of the siren.')
      await isAccessible(page)
      await dialog.getByRole('button', { name: 'Resolve' }).click()
      await expect(page.getByText('False alarm').first()).toBeVisible()
      await isAccessible(page)
      const reopening = await choose(page, 'Reopen')
      await reopening.getByRole('textbox', { name: /^Reason/ }).fill('The servers are gone after all.')
      await isAccessible(page)
      await reopening.getByRole('button', { name: 'Reopen' }).click()
      await expect(page.getByText('Ongoing').first()).toBeVisible()
    })

    await test.step('a duplicate is merged into it, and each links to the other', async () => {
      await page.goto(`/incidents/${duplicate!.id}`)
      const dialog = await choose(page, 'Merge as duplicate')
      await dialog.getByRole('combobox', { name: /^Merge into/ }).click()
      await page.getByRole('option', { name: `${incident!.number} ${INCIDENT}` }).click()
      await dialog.getByRole('textbox', { name: /^Reason/ }).fill('One cause.')
      await isAccessible(page)
      await dialog.getByRole('button', { name: 'Merge' }).click()
      await expect(page).toHaveURL(new RegExp(incident!.id))
      await page.getByRole('link', { name: `${duplicate!.number} ${DUPLICATE}` }).click()
      await expect(page.getByText('Merged', { exact: true }).first()).toBeVisible()
      await expect(page.getByRole('link', { name: `${incident!.number} ${INCIDENT}` })).toBeVisible()
      await isAccessible(page)
    })
    await page.context().close()
  })
