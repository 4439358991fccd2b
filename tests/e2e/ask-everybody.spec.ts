import { expect } from '@playwright/test'

import { outboxOf } from '../support/product.ts'
import { aBrowser, holdsAnywhere, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

test('everybody is asked, answers in one tap without JavaScript, and stands in a live list', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await page.goto('/mass-notifications/send')
  await page.getByRole('textbox', { name: /^Email subject/ }).fill('Smoke at the terminal')
  await page.getByRole('textbox', { name: /^Email message/ }).fill('There is smoke. How are you?')
  await page.getByRole('textbox', { name: /^SMS/ }).fill('Smoke at the terminal. How are you?')
  await page.getByRole('button', { name: 'Safe / Need help / Not affected' }).click()
  await expect(page.getByRole('textbox', { name: 'Answer 2' })).toHaveValue('Need help')
  await page.getByRole('checkbox', { name: /^Suppliers/ }).check()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Send Notification' }).click()
  await expect(page.getByText('Notification sent.')).toBeVisible()
  await expect(page).toHaveURL(/\/mass-notifications$/)
  await expect(page.getByText('0 of 4 answered')).toBeVisible()
  await page.getByText('There is smoke.').click()
  const answers = page.getByRole('region', { name: 'Answers' })
  await expect(answers.getByRole('button', { name: 'No answer 4' })).toBeVisible()

  const sent = (await outboxOf(testServer)).filter(({ text }) => text.includes('/answer/'))
  const linkOf = (to: string, channel: string) =>
    /http\S+\/answer\/\S+/.exec(sent.find((one) => one.to === to && one.channel === channel)!.text)![0]
  const link = linkOf('marta@northgalley.example', 'EMAIL')
  expect(linkOf('+19025550122', 'SMS')).toBe(link)

  const phone = await aBrowser(browser, { ...PHONE, javaScriptEnabled: false })
  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Smoke at the terminal' })).toBeVisible()
  await phone.getByRole('button', { name: 'Safe' }).click()
  await expect(phone.getByText('Your answer: Safe. You can change it until')).toBeVisible()
  await expect(answers.getByText('1 of 4 answered')).toBeVisible()
  await phone.getByText('Add a note (optional)').click()
  await phone.getByRole('textbox', { name: 'Note, sent with your answer' }).fill('Cut off on the pier')
  await phone.getByRole('button', { name: 'Need help' }).click()
  await expect(phone.getByText('Your answer: Need help.')).toBeVisible()
  // The page of answers follows without a reload, and leads with who needs help.
  await expect(answers.getByRole('listitem').first()).toContainText(
    /Marta Kowalczyk.*Need help.*Cut off on the pier/,
  )
  await expect(answers.getByText('Before: Safe')).toBeVisible()
  await isAccessible(page)
  await holdsAnywhere(page, 'the answers')

  await answers.getByRole('button', { name: 'Enter answer for Bluewater Fuels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter answer for Bluewater Fuels' })
  await dialog.getByRole('radio', { name: 'Not affected' }).check()
  await dialog.getByRole('textbox', { name: /^How you know/ }).fill('By telephone')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Enter answer' }).click()
  await expect(answers.getByText('2 of 4 answered')).toBeVisible()
  await expect(answers.getByText(/entered by admin@demo.example: By telephone/)).toBeVisible()

  await answers.getByRole('button', { name: 'Close question' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close question' }).click()
  await expect(answers.getByText(/^Closed by admin@demo.example/)).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('alert')).toContainText('This question is closed and takes no more answers.')
  await expect(phone.getByRole('alert')).toContainText('admin@demo.example')
  await expect(phone.getByRole('button')).toHaveCount(0)

  await answers.getByRole('link', { name: 'Message to 1 who needs attention' }).click()
  await expect(page.getByRole('checkbox', { name: /^Needs attention/ })).toBeChecked()
  await expect(page.getByText('1 person')).toBeVisible()
  await page.close()
  await phone.close()
})
