import { expect, type Locator } from '@playwright/test'

import { DEMO_PASSWORD } from '../support/product.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const TITLE = 'Tabletop: the terminal has no power'
/** Each payload sets `window.hit` if it runs. */
const HOSTILE = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 2">',
  '<svg onload="window.hit = 3"><style><a id="</style><img src=x onerror=window.hit=4>">',
  '<p onmouseover="window.hit = 5">Hover here</p>',
  '<p><a href="javascript:window.hit=6">Follow me</a> <a href="data:text/html,<script>6</script>">Or me</a></p>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.hit=7&gt;">',
].join('')

/** Calls the API as a person, like a script of theirs. */
async function apiAs(email: string) {
  const base = `${testServer.url}/api`
  const ask = async (method: string, path: string, body: object, headers: Record<string, string>) => {
    const reply = await fetch(`${base}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'Enterprise-Code': 'demo', ...headers },
      body: JSON.stringify(body),
    })
    expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true)
    return reply.json()
  }
  const credentials = { email, password: DEMO_PASSWORD, enterpriseCode: 'demo' }
  const { authenticationToken } = await ask('POST', '/authentication/upass', credentials, {})
  return (method: string, path: string, body: object) =>
    ask(method, path, body, { Authorization: `Bearer ${authenticationToken}` })
}

/** The number of lines of text that an element shows. */
const rowsOf = (text: Locator) =>
  text.evaluate((element) =>
    Math.round(element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
  )
const colorOf = (element: Locator) => element.evaluate((one) => getComputedStyle(one).color)
const hit = () => (window as { hit?: number }).hit

test('two people run an exercise, in which nothing that somebody pastes acts', async ({ browser }) => {
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, { ...PHONE, colorScheme: 'dark' })
  await signIn(ana, 'admin@demo.example')
  await signIn(ben, 'responder@demo.example')
  const api = await apiAs('admin@demo.example')

  await test.step('the form begins with the template of its kind, and keeps what is typed', async () => {
    await ana.getByRole('link', { name: /Create Incident/ }).click()
    await expect(ana.getByText('Incident Overview')).toBeVisible()
    await ana.getByRole('radio', { name: /^Exercise/ }).check()
    await expect(ana.getByText('Exercise Overview')).toBeVisible()
    const description = ana.getByRole('textbox', { name: 'Description' })
    await description.click()
    await ana.keyboard.press('Control+End')
    await ana.keyboard.type('Practise the first hour.')
    await ana.getByRole('radio', { name: /^Incident/ }).check()
    await expect(ana.getByText('Practise the first hour.')).toBeVisible()
    await expect(ana.getByText('Exercise Overview')).toBeVisible()
    await ana.getByRole('radio', { name: /^Exercise/ }).check()

    await description.click()
    await ana.keyboard.press('Control+A')
    await ana.keyboard.press('Delete')
    await ana.getByRole('button', { name: 'Create Exercise' }).click()
    await expect(ana.getByText('Description is a required field.')).toBeVisible()
    await isAccessible(ana)
    await description.fill('Practise the first hour.')
    await ana.getByRole('textbox', { name: /^Title/ }).fill(TITLE)
    await ana.getByRole('switch', { name: /Only selected people/ }).check()
    await ana.getByRole('combobox', { name: 'People' }).fill('Tomas')
    await ana.getByRole('option', { name: /Tomas Okafor/ }).click()
    await ana.keyboard.press('Escape')
    await ana.getByRole('button', { name: 'Create Exercise' }).click()
    await expect(ana.getByRole('heading', { name: TITLE })).toBeVisible()
    await expect(ana.getByText('EXERCISE').first()).toBeVisible()
    await expect(ana.getByText(/^0 of 1 person checked in$/)).toBeVisible()
    await expect(ana.getByRole('button', { name: 'Check In' })).toHaveCount(0)
  })
  const address = new URL(ana.url()).pathname
  const id = address.split('/').at(-1)!

  await test.step('the one who is asked checks in, on the phone', async () => {
    await ben.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
    const told = ben.getByRole('dialog', { name: 'Notifications' })
    await told.getByRole('button', { name: 'Mark all as read' }).click()
    await told.getByRole('link', { name: new RegExp(TITLE) }).click()
    await expect(ben.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
    await ben.getByRole('button', { name: 'Check In' }).click()
    await expect(ben.getByRole('button', { name: 'Check In' })).toHaveCount(0)
    await expect(ana.getByText(/^1 of 1 person checked in$/)).toBeVisible()
  })

  await test.step('what is hostile is text, for both', async () => {
    await api('PATCH', `/incident/${id}`, {
      title: `${TITLE} <img src=x onerror=window.hit=8>`,
      fullText: HOSTILE,
    })
    await api('POST', `/incident/${id}/activity`, { type: 'UPDATE', description: HOSTILE })
    for (const page of [ana, ben]) {
      await expect(page.getByText('<script>window.hit = 1</script>').first()).toBeVisible()
      await page.getByText('Hover here').first().hover()
      await expect(page.getByText('Follow me', { exact: true })).not.toHaveAttribute('href')
      const main = page.getByRole('main')
      await expect(main.locator('img[src="x"], main script, iframe, math, [onload], [onerror]')).toHaveCount(
        0,
      )
      expect(await page.evaluate(hit)).toBeUndefined()
    }
    await ana.goto('/incidents')
    await expect(ana.getByText('<script>window.hit = 1</script>')).toBeVisible()
    expect(await ana.evaluate(hit)).toBeUndefined()
    await ana.goto(`${address}/edit`)
    await expect(ana.getByRole('textbox', { name: 'Description' })).toContainText('window.hit = 1')
    expect(await ana.evaluate(hit)).toBeUndefined()
    await ana.goto(address)
  })

  await test.step('tasks say where they are in colour and word, and long texts are folded', async () => {
    const words = 'Switch the pumps over to the generator and write down when. '.repeat(40)
    const added = (fields: object) =>
      api('POST', `/incident/${id}/activity`, { description: words, ...fields })
    await added({ title: 'Waiting' })
    await added({ title: 'Going', status: 'IN_PROGRESS' })
    const { id: done } = await added({ title: 'Done', status: 'COMPLETE' })
    await api('PATCH', `/incident/activity/${done}`, { description: `${words} Over.` })
    const row = (name: string) => ana.getByRole('button', { name: new RegExp(`^${name} `) })
    const chip = (name: string) => row(name).locator('[data-status]')
    await expect(chip('Waiting')).toHaveText('To Do')
    await expect(chip('Going')).toHaveText('In Progress')
    await expect(chip('Done')).toHaveText('Complete')
    expect(await Promise.all(['Waiting', 'Going', 'Done'].map((name) => colorOf(chip(name))))).toEqual([
      'rgb(198, 40, 40)',
      'rgb(154, 91, 0)',
      'rgb(27, 127, 75)',
    ])
    await row('Done').click()
    const task = ana.getByRole('region', { name: 'Done' })
    const text = task.getByText(/^Switch the pumps/)
    expect(await rowsOf(text)).toBe(5)
    await task.getByRole('button', { name: 'Show more' }).click()
    expect(await rowsOf(text)).toBeGreaterThan(5)
    await task.getByRole('button', { name: 'History of the task' }).click()
    const history = task.getByRole('region', { name: 'History' })
    await expect(history.getByText('changed the description.')).toBeVisible()
    expect(await rowsOf(history.getByText(/^Switch the pumps/).first())).toBe(4)
    await isAccessible(ana)
  })

  await test.step('it is resolved and analysed in an area that grows up to its end', async () => {
    await ana.getByRole('button', { name: 'Resolve' }).click()
    await ana.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await expect(ana).toHaveURL(/\/post-incident-analysis$/)
    await ana.goto(address)
    await ana.getByRole('link', { name: 'Add Post-Exercise Analysis' }).click()
    await expect(ana.getByRole('heading', { name: 'Post-Exercise Analysis' })).toBeVisible()
    const area = ana.getByRole('textbox', { name: 'Analysis' })
    await expect(area).toHaveCSS('min-height', '275px')
    const height = () => area.evaluate((element) => element.getBoundingClientRect().height)
    expect(await height()).toBe(275)
    await area.click()
    await ana.keyboard.press('Control+B')
    await ana.keyboard.type('Two generators.')
    await ana.keyboard.press('Control+B')
    for (let line = 0; line < 30; line += 1) await ana.keyboard.press('Enter')
    await ana.keyboard.type('The end.')
    expect(await height()).toBe(400)
    expect(await area.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
    await isAccessible(ana)
    await ana.getByRole('button', { name: 'Submit' }).click()
    await expect(ana).toHaveURL(new RegExp(`${address}$`))
    await expect(ana.locator('strong', { hasText: 'Two generators.' })).toBeVisible()
    // Clearing the text and leaving loses nothing, so there is no question.
    await ana.getByRole('link', { name: 'Edit Post-Exercise Analysis' }).click()
    await area.click()
    await ana.keyboard.press('Control+A')
    await ana.keyboard.press('Delete')
    await expect(ana.getByRole('button', { name: 'Submit' })).toBeDisabled()
    await ana.getByRole('link', { name: 'Close' }).click()
    await expect(ana).toHaveURL(new RegExp(`${address}$`))
    await expect(ana.getByRole('dialog')).toHaveCount(0)
    await ben.goto(address)
    await expect(ben.getByText('Two generators.')).toBeVisible()
    expect(await ben.evaluate(hit)).toBeUndefined()
    await isAccessible(ben)
  })
  await ana.close()
  await ben.close()
})
