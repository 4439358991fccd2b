import type { FullConfig } from '@playwright/test'

import { startProduct } from '../support/product.ts'
import { announce } from './test-server.ts'

/** A real server for each worker, on an empty data folder; its stories run one after the other on its demonstration. */
export default async function setup({ workers }: FullConfig): Promise<() => Promise<void>> {
  // The first one builds the front end if it is out of date.
  const products = [await startProduct()]
  while (products.length < workers) products.push(await startProduct())
  announce(products)
  return async () => {
    await Promise.all(products.map((product) => product.stop()))
  }
}
