import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import { pdfText, READS_PDF } from '../support/pdf.ts'
import { inDatabase, startProduct } from '../support/product.ts'
import { aBrowser, giveCredentials, isAccessible } from './people.ts'
import { test } from './test-server.ts'

test('a drill on a laptop: fourteen are asked, two need help, three are not reached, and the incident says so', async ({
  browser,
}) => {
  const product = await startProduct({ SIMULATOR: '1' })
  try {
    const lead = await aBrowser(browser, { baseURL: product.url })
    await giveCredentials(lead, 'admin@demo.example', 'demo')
    await expect(lead.getByRole('navigation').first()).toBeVisible()
    await lead.goto('/incidents/create')
    await lead.getByRole('radio', { name: /^Exercise/ }).check()
    await lead.getByRole('textbox', { name: /^Title/ }).fill('Smoke at the terminal')
    await lead.getByRole('textbox', { name: /^Description/ }).fill('Smoke above gate 2.')
    await lead.getByRole('button', { name: /^Create/ }).click()
    await expect(lead.getByRole('heading', { name: 'Smoke at the terminal' })).toBeVisible()
    const incident = lead.url()

    await test.step('everybody on the lists is asked', async () => {
      await lead.getByRole('link', { name: 'Notify' }).click()
      await expect(
        lead.getByRole('checkbox', { name: /^About the exercise|^About the incident/ }),
      ).toBeChecked()
      await lead.getByRole('checkbox', { name: /^Those who have not checked in/ }).uncheck()
      await lead.getByRole('checkbox', { name: /^Harbour and authorities/ }).check()
      await lead.getByRole('checkbox', { name: /^Season ticket holders/ }).check()
      await lead.getByRole('checkbox', { name: /^Suppliers/ }).check()
      await lead.getByRole('button', { name: 'Safe / Need help / Not affected' }).click()
      await lead.getByRole('button', { name: 'Escalate if nobody answers' }).click()
      await expect(lead.getByRole('textbox', { name: 'Minutes from the send until step 1' })).toHaveValue('5')
      await expect(lead.getByRole('combobox', { name: 'Channel of step 1' })).toHaveText('by voice call')
      await lead.getByRole('button', { name: 'Send Notification' }).click()
      await expect(lead.getByText('Notification sent.')).toBeVisible()
    })

    const answers = lead.getByRole('region', { name: 'Answers' })
    await test.step('answers and reports come in by themselves', async () => {
      await lead.goto(incident)
      await lead.getByRole('link', { name: /^EXERCISE: Smoke at the terminal/ }).click()
      await expect(answers.getByRole('button', { name: 'Need help 2' })).toBeVisible({ timeout: 60_000 })
      await expect(answers.getByRole('button', { name: 'Not reached 3' })).toBeVisible({ timeout: 60_000 })
      await isAccessible(lead)
    })

    const escalation = lead.getByRole('region', { name: 'Escalation' })
    await test.step('those who have not answered are called, and their deputies come next', async () => {
      await expect(escalation.getByText(/^Next: Voice call to \d+ people$/)).toBeVisible()
      await inDatabase(product.dataDir, async (client) => {
        await client.query(`update notification_escalations set next_timestamp = now()`)
        await client.query(`update pgboss.job set start_after = now() where name = 'escalations'`)
      })
      await expect(escalation.getByText(/^Step 1: Voice call to \d+ people$/)).toBeVisible({
        timeout: 60_000,
      })
      await expect(escalation.getByText(/^Next: SMS to the deputies of \d+ people$/)).toBeVisible()
      await isAccessible(lead)
    })

    await test.step('one of those who were not reached is marked on behalf, and the question is closed', async () => {
      await answers.getByRole('button', { name: 'Not reached 3' }).click()
      await answers
        .getByRole('button', { name: /^Enter answer for/ })
        .first()
        .click()
      const dialog = lead.getByRole('dialog')
      await dialog.getByRole('radio', { name: 'Safe' }).check()
      await dialog.getByRole('textbox', { name: /^How you know/ }).fill('Seen at gate 4')
      await dialog.getByRole('button', { name: 'Enter answer' }).click()
      await expect(answers.getByRole('button', { name: 'Not reached 2' })).toBeVisible()
      await answers.getByRole('button', { name: 'Close question' }).click()
      await lead.getByRole('dialog').getByRole('button', { name: 'Close question' }).click()
      await expect(answers.getByText(/^Closed by admin@demo.example/)).toBeVisible()
      await expect(escalation.getByText('Ended with the question.')).toBeVisible()
    })

    await test.step('the team status and the report say the same', async () => {
      await lead.goto(incident)
      await expect(lead.getByText('2 people need help').first()).toBeVisible()
      if (!READS_PDF) return
      const [download] = await Promise.all([
        lead.waitForEvent('download'),
        lead.getByRole('button', { name: 'Download report' }).click(),
      ])
      const report = pdfText(await readFile(await download.path()))
      expect(report).toContain('Smoke at the terminal')
      expect(report).toMatch(/Escalation, step 1: \d+ people were asked again/)
      expect(report.match(/Need help/g)!.length).toBeGreaterThanOrEqual(3)
    })
    await lead.close()
  } finally {
    await product.stop()
  }
})
