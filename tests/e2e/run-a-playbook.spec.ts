import { expect, type Page } from '@playwright/test'

import { aBrowser, isAccessible, isReadable, PHONE, signIn } from './people.ts'
import { test } from './test-server.ts'

const PLAN = `# Flood in the archive

Water comes in.
Nobody goes down alone.

## At once

1. Switch off the power of the basement
   - Priority: High
   - Role: Caretaker
   - Time: 5 min
2. Close the archive

   Lock **both** doors, and hang up the sign.

   \`\`\`
   lock --all doors
   \`\`\`

**Afterwards**

- Call the <img src=x onerror="alert(1)">restorer
`
const STEPS = ['Switch off the power of the basement', 'Close the archive', 'Call the restorer']

const openPlaybooks = (page: Page) =>
  page
    .getByRole('link', { name: /^Playbooks/ })
    .first()
    .click()
/** The tasks of the feed in order, with their headings. */
const feedOf = (page: Page) =>
  page
    .getByRole('list', { name: 'Activity' })
    .locator('[data-activity="TASK"]')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [row.querySelector('h3')?.textContent, row.querySelector('[data-part="title"]')?.textContent]
          .filter(Boolean)
          .join(': '),
      ),
    )

async function importPlan(page: Page) {
  await openPlaybooks(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Playbooks' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose Files' }).click()
  await (
    await chooser
  ).setFiles([
    { name: 'flood.md', mimeType: 'text/markdown', buffer: Buffer.from(PLAN) },
    { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"type": "playbook"') },
  ])
  await expect(dialog.getByText(/2 headings · 3 tasks/)).toBeVisible()
  await expect(dialog.getByText(/broken\.json/).first()).toBeVisible()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Import 1 Playbook' }).click()
}

test('an imported playbook is run, added to what is running, and its later changes are said', async ({
  browser,
}) => {
  const ana = await aBrowser(browser)
  await signIn(ana, 'admin@demo.example')
  await importPlan(ana)
  await expect(ana.getByRole('heading', { name: 'Flood in the archive' }).first()).toBeVisible()
  await expect(ana.getByText('Nobody goes down alone.')).toBeVisible()

  await test.step('an exercise begins with it, every step in order', async () => {
    await ana.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(ana.getByRole('combobox', { name: 'Playbook' })).toHaveValue('Flood in the archive')
    await ana.getByRole('radio', { name: /^Exercise/ }).check()
    await ana.getByRole('textbox', { name: 'Title' }).fill('Practise the flood')
    await isAccessible(ana)
    await ana.getByRole('button', { name: 'Create Exercise' }).click()
    await expect(ana.getByRole('heading', { name: 'Practise the flood' })).toBeVisible()
    await expect(ana.getByText('Nobody goes down alone.')).toBeVisible()
    await expect
      .poll(() => feedOf(ana))
      .toEqual([`At once: ${STEPS[0]}`, STEPS[1], `At once › Afterwards: ${STEPS[2]}`])
    await isAccessible(ana)
  })
  const exercise = ana.url()

  await test.step('the formatting of a step comes along, and stays when the task is changed', async () => {
    const row = ana.getByRole('button', { name: /^Close the archive/ })
    await row.click()
    const details = ana.getByRole('region', { name: STEPS[1]! })
    await expect(details.getByRole('strong')).toHaveText('both')
    await details.getByRole('button', { name: 'Copy code' }).click()
    await expect(details.getByRole('button', { name: 'Copied' })).toBeVisible()
    await details.getByRole('button', { name: 'Edit' }).click()
    await details.getByRole('textbox', { name: 'Description' }).press('Control+End')
    await ana.keyboard.type('; ring')
    await isAccessible(ana)
    await details.getByRole('button', { name: 'Save' }).click()
    await expect(details.getByText('lock --all doors; ring')).toBeVisible()
    await expect(details.getByRole('strong')).toHaveText('both')
    await row.click()
  })

  await test.step('the playbook changes; the exercise stays, and says what changed', async () => {
    await openPlaybooks(ana)
    await ana
      .getByRole('link', { name: 'Flood in the archive' })
      .or(ana.getByRole('button', { name: 'Flood in the archive' }))
      .first()
      .click()
    await ana.getByRole('button', { name: 'Edit', exact: true }).click()
    await ana.getByRole('button', { name: 'Edit “Close the archive”' }).click()
    await ana.getByRole('textbox', { name: /^Title/ }).fill('Close the archive and the lift')
    await ana.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(ana.getByText('Saved changes.')).toBeVisible()
    await ana.goto(exercise)
    const panel = ana.getByRole('region', { name: 'Playbooks' })
    await expect(panel.getByText('Changed since')).toBeVisible()
    await panel.getByRole('button', { name: 'What changed?' }).click()
    const dialog = ana.getByRole('dialog', { name: 'Changes in “Flood in the archive”' })
    await expect(dialog.getByText(/and the lift/).first()).toBeVisible()
    await isAccessible(ana)
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(await feedOf(ana)).toContain(STEPS[1])
  })

  await test.step('somebody on a phone adds a part of another one', async () => {
    const ben = await aBrowser(browser, PHONE)
    await signIn(ben, 'responder@demo.example')
    await ben.goto(exercise)
    await ben.getByRole('tab', { name: 'Files' }).click()
    await ben.getByRole('button', { name: 'Add playbook' }).click()
    const dialog = ben.getByRole('dialog', { name: 'Add a playbook?' })
    await dialog.getByRole('combobox', { name: 'Playbook' }).fill('evacu')
    await ben.getByRole('option', { name: /^Evacuation of a terminal/ }).click()
    await dialog.getByRole('checkbox', { name: 'All tasks' }).uncheck()
    await dialog.getByRole('checkbox').nth(1).check()
    await isReadable(ben)
    await isAccessible(ben)
    await dialog.getByRole('button', { name: 'Add 1 task' }).click()
    await expect(ben.getByText('“Evacuation of a terminal” was added.')).toBeVisible()
    // The other browser updates itself.
    await expect.poll(async () => (await feedOf(ana)).length).toBe(4)
    await ben.close()
  })

  await ana.getByRole('button', { name: 'Resolve' }).click()
  await ana.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await expect(ana).toHaveURL(/\/post-incident-analysis$/)
  await expect(ana.getByRole('button', { name: 'Add playbook' })).toBeHidden()
  await ana.close()
})
