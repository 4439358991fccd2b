import type { OrgDb } from './db.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Carries its link or code as well as the HTML does. */
  readonly text: string
  readonly html: string
}

/** Messages to people outside the product. */
export interface Post {
  /** Keeps the mail in the transaction that causes it; it goes out once that has committed. */
  mail(db: OrgDb, mail: Mail): Promise<void>
}
