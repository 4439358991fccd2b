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
  /** Waits until the sent frames have left. Returns whether the socket is still open. */
  drained(): Promise<boolean>
}

/** A separate stream on the live socket that carries records, not only ids. */
export interface LiveFeed {
  /** Access required to receive it. */
  readonly access: Access
  /** Sends the stream from the position in the hello, then new events. */
  join(connection: LiveConnection, hello: LiveHello): Promise<void>
  leave(connection: LiveConnection): void
  /** Called when the connection's session has ended. */
  ended?(connection: LiveConnection): void
  /** Handles a client message after the hello. Returns false for one of another feed. */
  hear?(connection: LiveConnection, message: unknown): boolean
  /** Called with the nouns of new events, after the commit. */
  noted(organisationId: string, nouns: ReadonlySet<string>): void
}

/** Publishes chat changes to members with open pages, after the commit. */
export interface ChatPublisher {
  /**
   * A change with its sequence number.
   * @param isPartial the record was read by an external person and may lack parts that are hidden from them
   */
  changed(db: OrgDb, change: ChatChange, isPartial?: boolean): void
  /** A person is typing in a room. */
  typing(db: OrgDb, at: { readonly roomId: string; readonly userId: string }): void
  /** A person has read up to a message of these authors. */
  read(
    db: OrgDb,
    mark: {
      readonly roomId: string
      readonly userId: string
      readonly sequence: number
      readonly authors: readonly string[]
    },
  ): void
  /** A person's own membership of a room has changed, such as what is unread. */
  own(db: OrgDb, at: { readonly roomId: string; readonly userId: string }): void
  /** A thread became unread or read for these people, who take part in it. */
  thread(
    db: OrgDb,
    at: {
      readonly roomId: string
      readonly threadId: string
      readonly userIds: readonly string[]
      readonly isUnread: boolean
    },
  ): void
  /** Returns which of these people have an open page, in any process. */
  online(organisationId: string, userIds: readonly string[]): string[]
}

/** Tracks the people in calls, after the commit. */
export interface CallsPresence {
  /** Id of the process that people in calls are assigned to. */
  readonly processId: string
  /** A page has joined: its heartbeats are expected from now on. */
  joined(
    db: OrgDb,
    page: { readonly callId: string; readonly participantId: string; readonly userId: string },
  ): void
  /** People are rung until a time, in milliseconds of the epoch. */
  rings(db: OrgDb, until: number): void
}
