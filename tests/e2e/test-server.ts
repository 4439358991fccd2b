import { test as base } from '@playwright/test'

import { type Product, startProduct } from '../support/product.ts'

/** The calling worker's server: stories of two workers never meet. Known once its first story begins. */
export const testServer = { url: '', dataDir: '' }

/**
 * A story. Each worker has a real server on an empty data folder, whose demonstration its stories share one after the
 * other. A story that fails ends its worker: the second try begins with a server of its own.
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
