import { startProduct } from '../support/product.ts'

/** One real server for the run, on an empty data folder; stories run one after the other on its demonstration. */
export default async function setup(): Promise<() => Promise<void>> {
  const product = await startProduct()
  process.env['MUSTER_URL'] = product.url
  process.env['MUSTER_DATA'] = product.dataDir
  return () => product.stop()
}
