import { startProduct } from '../support/product.ts'

/** Builds an outdated front end before the servers of two workers would both do it. */
export default async function setup(): Promise<void> {
  const product = await startProduct()
  await product.stop()
}
