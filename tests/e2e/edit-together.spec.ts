import { expect } from '@playwright/test'

import { signIn as asClient } from '../support/product.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

test('two people edit the same task at the same time', async ({ browser }) => {
  const { call } = await asClient(testServer.url, 'admin@demo.example')
  const { body: incident } = await call('POST', '/incident/withActivities', {
    title: 'Both at once',
    fullText: '<p>Two of us.</p>',
    activityCreateRequests: [{ title: 'Call the insurer', description: 'By noon.' }],
  })
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, PHONE)
  await signIn(ana, 'admin@demo.example')
  await signIn(ben, 'responder@demo.example')
  for (const page of [ana, ben]) {
    await page.goto(`/incidents/${incident.id}`)
    await page.getByRole('button', { name: /^Call the insurer/ }).click()
    await page.getByRole('button', { name: 'Edit task' }).click()
  }
  const formOf = (page: typeof ana) => page.getByRole('form', { name: 'Save' })
  const description = (page: typeof ana) => formOf(page).getByRole('textbox', { name: /^Description/ })
  await description(ana).fill('By noon, on the incident line.')
  await formOf(ana)
    .getByRole('textbox', { name: /^Ideal title/ })
    .fill('Counsel')
  await description(ben).fill('By noon. Policy number 7.')
  await formOf(ana).getByRole('button', { name: 'Save' }).click()
  await expect(formOf(ana)).toHaveCount(0)

  await formOf(ben).getByRole('button', { name: 'Save' }).click()
  await expect(
    formOf(ben).getByText(/changed the description and the ideal title or role meanwhile\./),
  ).toBeVisible()
  await expect(formOf(ben).getByText(/What you typed is kept\./)).toBeVisible()
  await isAccessible(ben)
  await formOf(ben).getByRole('button', { name: 'Load latest version' }).click()
  await expect(formOf(ben).getByText('By noon, on the incident line.')).toBeVisible()
  await expect(description(ben)).toHaveValue('By noon. Policy number 7.')
  await expect(formOf(ben).getByRole('textbox', { name: /^Ideal title/ })).toHaveValue('Counsel')
  await description(ben).fill('By noon, on the incident line. Policy number 7.')
  await formOf(ben).getByRole('button', { name: 'Save' }).click()
  for (const page of [ana, ben])
    await expect(page.getByText('By noon, on the incident line. Policy number 7.').first()).toBeVisible()
  await call('PATCH', `/incident/${incident.id}`, { isActive: false })
  await ana.close()
  await ben.close()
})
