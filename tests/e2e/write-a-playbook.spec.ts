import { expect, type Page } from '@playwright/test'

import { aBrowser, isAccessible, isReadable, PHONE, signIn } from './people.ts'
import { test } from './test-server.ts'

const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })
const titles = (page: Page) =>
  page
    .getByRole('button', { name: /^Edit “/ })
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')?.slice('Edit “'.length, -1)))
const handle = (page: Page, title: string) => page.getByRole('button', { name: `Move “${title}”` })

async function write(page: Page) {
  await page
    .getByRole('link', { name: /^Playbooks/ })
    .first()
    .click()
  await expect(page.getByText(/^\d+ of 25 playbooks$/)).toBeVisible()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New playbook' }).click()
  await field(page, /^Playbook name/).fill('Power cut')
  await page.getByRole('button', { name: 'Add heading', exact: true }).click()
  // Each Enter makes the next step.
  for (const title of ['In the first hour', 'Start the generator', 'Call the supplier', 'Tell everybody']) {
    await expect(field(page, /^Title of the /)).toBeFocused()
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit “Call the supplier”' }).click()
  await field(page, /^Description/).fill('The number is on the switchboard.')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await formatTask(page, 'Start the generator')
}

/** Gives the description of a task a bold word and a list. */
async function formatTask(page: Page, title: string) {
  await page.getByRole('button', { name: `Edit “${title}”` }).click()
  await page.getByRole('button', { name: 'Format text' }).click()
  const toolbar = page.getByRole('toolbar', { name: 'Formatting of Description' })
  await expect(field(page, /^Description/)).toBeFocused()
  await page.keyboard.press('Enter')
  await toolbar.getByRole('button', { name: 'Bullet list' }).click()
  await page.keyboard.type('open the ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('fuel valve')
  // The name of the button hides again.
  await page.mouse.move(0, 0)
  await isAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
}

/** Removes two steps at once and takes it back with the keyboard; folds the section and opens it again. */
async function changeSeveral(page: Page) {
  await page.getByRole('button', { name: 'Select several' }).click()
  for (const title of ['Start the generator', 'Tell everybody'])
    await page.getByRole('checkbox', { name: `Select “${title}”` }).check()
  await isAccessible(page)
  const bar = page.getByRole('toolbar', { name: 'Selected headings and tasks' })
  await bar.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => titles(page)).toEqual(['In the first hour', 'Call the supplier'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => titles(page)).toHaveLength(4)
  await bar.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Fold “In the first hour”' }).click()
  await expect.poll(() => titles(page)).toEqual(['In the first hour'])
  await page.getByRole('button', { name: 'Unfold “In the first hour”' }).click()
}

/** Moves the last task to the top by mouse, and down one place by keyboard. */
async function reorder(page: Page) {
  const from = (await handle(page, 'Tell everybody').boundingBox())!
  const to = (await handle(page, 'Start the generator').boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
  await page.mouse.up()
  await expect
    .poll(() => titles(page))
    .toEqual(['In the first hour', 'Tell everybody', 'Start the generator', 'Call the supplier'])
  await handle(page, 'Tell everybody').press('Space')
  // The announcement comes once all rows are measured; an earlier arrow key would have no effect.
  await expect(page.getByText('“Tell everybody” is now 2 of 4.').last()).toBeAttached()
  // The sensor handles keys shortly after the item was picked up.
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText('“Tell everybody” is now 3 of 4.').last()).toBeAttached({ timeout: 2_000 })
  }).toPass()
  await page.keyboard.press('Space')
  await expect
    .poll(() => titles(page))
    .toEqual(['In the first hour', 'Start the generator', 'Tell everybody', 'Call the supplier'])
}

/** Keeps a change as a draft, which the other planner compares and publishes. */
async function publishOf(author: Page, publisher: Page) {
  await author.getByRole('button', { name: 'Edit', exact: true }).click()
  await field(author, /^Playbook name/).fill('Power cut in the harbour')
  await author.getByRole('button', { name: 'Other ways to save' }).click()
  await author.getByRole('menuitem', { name: /^Save as draft/ }).click()
  await expect(author.getByText('Saved draft.')).toBeVisible()
  await expect(author.getByRole('heading', { name: 'Power cut in the plant' }).first()).toBeVisible()
  const draft = publisher.getByRole('group', { name: 'Draft, not published' })
  await draft.getByRole('button', { name: 'See what changed' }).click()
  await expect(draft.getByText('harbour')).toBeVisible()
  await isAccessible(publisher)
  await isReadable(publisher)
  await draft.getByRole('button', { name: 'Publish' }).click()
  await publisher.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(publisher.getByText('Published.')).toBeVisible()
  await expect(author.getByRole('heading', { name: 'Power cut in the harbour' }).first()).toBeVisible()
}

/** Archives the open playbook and takes it back, deletes it, and restores it from the bin. */
async function putAway(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText(/^Kept for reference/)).toBeVisible()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Take out of the archive' }).click()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('“Power cut in the harbour” was deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Bin', exact: true }).click()
  await expect(page.getByText(/^Deleted by/)).toBeVisible()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Restore “Power cut in the harbour”' }).click()
  await expect(page.getByText('“Power cut in the harbour” is back.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  // The suggestions beside the list name it as well.
  const row = page.getByRole('link', { name: 'Power cut in the harbour' }).first()
  await expect(row).toContainText(/\d+ steps/)
  await expect(row).toContainText('Never used')
  await row.click()
}

test('two planners write a playbook, and neither loses anything', async ({ browser }) => {
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, PHONE)
  await signIn(ana, 'planner@demo.example')
  await write(ana)
  await changeSeveral(ana)
  await reorder(ana)
  await isAccessible(ana)
  await ana.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(ana.getByText('Created playbook.')).toBeVisible()
  await isAccessible(ana)

  await signIn(ben, 'admin@demo.example')
  await ben.goto(ana.url())
  await expect(ben.getByRole('heading', { name: 'Contents' })).toBeVisible()
  await expect(ben.getByRole('listitem').getByRole('strong')).toHaveText('fuel valve')
  await isAccessible(ben)
  for (const page of [ana, ben]) await page.getByRole('button', { name: 'Edit', exact: true }).click()
  for (const page of [ana, ben])
    await expect(page.getByText(/is editing this playbook too, since /)).toBeVisible()
  await ben.getByRole('button', { name: 'Actions for “Call the supplier”' }).click()
  await ben.getByRole('menuitem', { name: 'Edit details' }).click()
  await isReadable(ben)
  await field(ben, /^Title/).fill('Call the supplier and the insurer')
  await field(ana, /^Playbook name/).fill('Power cut in the plant')
  await ben.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(ben.getByText('Saved changes.')).toBeVisible()

  await expect(ana.getByText(/ saved changes at /)).toBeVisible()
  await ana.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = ana.getByRole('dialog', { name: 'Somebody else saved this playbook' })
  await expect(dialog.getByText('Call the supplier and the insurer')).toBeVisible()
  await isAccessible(ana)
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await ana.getByRole('button', { name: 'Take theirs' }).click()
  await ana.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click()
  await expect(ana.getByRole('button', { name: 'Edit “Call the supplier and the insurer”' })).toBeVisible()
  await field(ana, /^Playbook name/).fill('Power cut in the plant')
  await ana.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(ana.getByText('Saved changes.')).toBeVisible()
  await expect(ben.getByRole('heading', { name: 'Power cut in the plant' }).first()).toBeVisible()

  for (const [name, type] of [
    ['Export PDF', 'pdf'],
    ['Export DOCX', 'docx'],
  ] as const) {
    const download = ana.waitForEvent('download')
    await ana.getByRole('button', { name: 'More', exact: true }).click()
    await ana.getByRole('menuitem', { name }).click()
    expect((await download).suggestedFilename()).toMatch(
      new RegExp(String.raw`^Playbooks_Export_\d{2}-\d{2}-\d{4}_\d{2}-\d{2}-\d{2}\.${type}$`),
    )
  }
  await publishOf(ana, ben)
  await putAway(ana)
  await ana.getByRole('button', { name: 'More', exact: true }).click()
  await ana.getByRole('menuitem', { name: 'Delete' }).click()
  await ana.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(ana.getByText('“Power cut in the harbour” was deleted.').last()).toBeVisible()
  await expect(ben.getByText('This playbook does not exist any more.')).toBeVisible()
  await ana.close()
  await ben.close()
})
