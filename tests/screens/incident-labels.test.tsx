import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'

import { API, open, server, signedIn } from '#tests/support/client.tsx'
import { aWhole, listed, page, preparePages } from '#tests/support/client-incidents.ts'

preparePages()

test('the head of an incident has its labels', async () => {
  signedIn('ADMIN')
  page(aWhole({ labels: ['Basel', 'Audit'] }))
  expect(await screen.findByText('Basel')).toBeVisible()
  expect(screen.getByText('Audit')).toBeVisible()
})

test('a card of the feed has the labels of its incident', async () => {
  signedIn('ADMIN')
  const data = [listed(1, { labels: ['Basel'] }), listed(2)]
  server.use(
    http.get(`${API}/incident`, () => HttpResponse.json({ data, page: 0, size: 20, total: 2, people: [] })),
  )
  open('/incidents')
  const [first, second] = await screen.findAllByRole('article')
  expect(await within(first!).findByText('Basel')).toBeVisible()
  expect(within(second!).queryByText('Basel')).toBeNull()
})
