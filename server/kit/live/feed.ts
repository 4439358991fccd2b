import type { ChatChange } from '#contract/chat/schema.ts'
import type { Access } from '#contract/kit/access.ts'
import type { LiveHello } from '#contract/kit/live.ts'

import type { OrgDb } from '../database/db.ts'

/** A client of the live socket, as a feed sees it. */
export interface LiveConnection {
  readonly userId: string
  readonly organisationId: string
  /** Row-level security hides incidents from external people, so frames must name no hidden one to them. */
  readonly isExternal: boolean
  /** Sends a frame, unless the socket is closed or the client is too slow. */
  send(text: string): void
  /** Waits until what was sent has left. Returns whether the socket is still open. */
  drained(): Promise<boolean>
}

/** A stream of its own on the live socket, which carries records and not only ids. */
export interface LiveFeed {
  /** Who may receive it. */
  readonly access: Access
  /** Sends what the hello asks for, then what happens from now on. */
  join(connection: LiveConnection, hello: LiveHello): Promise<void>
  leave(connection: LiveConnection): void
  /** The session behind the connection is over. */
  ended?(connection: LiveConnection): void
  /** Takes what the client says after its hello. Returns false where it means nothing here. */
  hear?(connection: LiveConnection, message: unknown): boolean
  /** Called with the nouns of new events, after their transactions have committed. */
  noted(organisationId: string, nouns: ReadonlySet<string>): void
}

/** Publishes the chat to the members who have a page open, once the transaction has committed. */
export interface ChatPublisher {
  /**
   * A change whose number the transaction took.
   * @param isPartial the record was read by an external person and may lack what is hidden from them
   */
  changed(db: OrgDb, change: ChatChange, isPartial?: boolean): void
  /** Somebody types in a room. */
  typing(db: OrgDb, at: { readonly roomId: string; readonly userId: string }): void
  /** Somebody has read up to a message of these authors. */
  read(
    db: OrgDb,
    mark: {
      readonly roomId: string
      readonly userId: string
      readonly sequence: number
      readonly authors: readonly string[]
    },
  ): void
  /** Which of these people have a page open, in any process. */
  online(organisationId: string, userIds: readonly string[]): string[]
}

/** Keeps the people in calls in view, once the transaction has committed. */
export interface CallsPresence {
  /** The process, as it vouches for people in calls. */
  readonly processId: string
  /** A page has joined: it has to give signs from now on. */
  joined(
    db: OrgDb,
    page: { readonly callId: string; readonly participantId: string; readonly userId: string },
  ): void
  /** People are rung until a time, in milliseconds of the epoch. */
  rings(db: OrgDb, until: number): void
}
