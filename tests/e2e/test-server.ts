import { test as base } from '@playwright/test'

import { type Product, startProduct } from '../support/product.ts'

/** The worker's own server, known once its first story starts. */
export const testServer = { url: '', dataDir: '' }

/**
 * A story. Each worker has a real server on an empty data folder with the demonstration, which its stories
 * share in sequence. A failing story ends its worker: the second attempt gets a new server.
 */
export const test = base.extend<object, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what the fixture depends on
    async ({}, use) => {
      const product = await startProduct()
      Object.assign(testServer, { url: product.url, dataDir: product.dataDir })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', auto: true },
  ],
})
