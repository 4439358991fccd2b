import type pg from 'pg'

import type { Shelf } from '../blobs/blobs.ts'
import type { Found } from './found.ts'

export interface TargetOptions {
  /** True where a database alone moves in: files and secret of the data folder are those of the installation. */
  readonly isMove?: boolean
}

/** The place of a restored installation. */
export interface Target {
  /** True when an earlier restore had everything, and only its last step was left to do. */
  readonly isEndedNow: boolean
  /** The installation that would be replaced; null for an empty target. */
  readonly found: Found | null
  /** Begins to fill it. Nothing of what is there changes before the commit. */
  readonly open: () => Promise<Filling>
  readonly close: () => Promise<void>
}

/** A target while it is filled. */
export interface Filling {
  /** In a transaction, on an empty database. */
  readonly client: pg.Client
  readonly shelf: Shelf
  /** Keeps the secret of the installation unless the settings give it. */
  keepSecret(text: string): Promise<void>
  /** Makes everything visible at once. */
  commit(): Promise<void>
  /** Leaves the target as it was. */
  abort(): Promise<void>
}
