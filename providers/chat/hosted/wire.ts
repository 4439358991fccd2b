import type { NamedPerson } from '#contract/users/schema.ts'
import type { CallDetails, MessageCall } from '#contract/calls/schema.ts'
import type { PrivilegedStatus, RoomKind } from '#contract/chat/schema.ts'
import type * as z from 'zod/mini'

/** The fields of the service's responses that are read. Our server adds those of `server/chat/hosted.flows.ts`. */
export interface WireUser {
  readonly id: string
  /** Absent until our server has told the service about the person. */
  readonly person?: NamedPerson
  readonly online?: boolean
}
export interface WireReaction {
  readonly type: string
  readonly user_id?: string
  readonly user?: WireUser | null
  readonly created_at: string
}
export interface WireAttachment {
  readonly type?: string
  readonly asset_url?: string
  readonly title?: string
  readonly file_size?: number
  readonly mime_type?: string
  readonly updatedAt?: string
}
export interface WireMessage {
  readonly id: string
  readonly cid?: string
  readonly channel?: { readonly cid: string }
  readonly user?: WireUser | null
  readonly text?: string
  readonly richText?: string
  readonly created_at: string
  readonly updated_at?: string
  readonly deleted_at?: string | null
  readonly message_text_updated_at?: string | null
  readonly attachments?: readonly WireAttachment[]
  readonly mentioned_users?: readonly WireUser[]
  readonly quoted_message?: WireMessage | null
  readonly latest_reactions?: readonly WireReaction[]
  readonly reaction_groups?: Readonly<Record<string, { readonly count: number }>> | null
  readonly pinned?: boolean
  readonly pinned_at?: string | null
  readonly pinned_by?: WireUser | null
  readonly isCall?: boolean
  readonly call?: z.infer<typeof MessageCall>
  readonly privileged?: boolean
  readonly privilegedStatus?: PrivilegedStatus | null
}
export interface WireChannel {
  readonly id: string
  readonly cid: string
  readonly type: string
  readonly created_at: string
  readonly updated_at?: string
  readonly last_message_at?: string | null
  readonly member_count?: number
  readonly name?: string
  readonly description?: string
  readonly kind?: RoomKind
  readonly isHeadquarters?: boolean
  readonly privileged?: boolean
  readonly privilegedStatus?: PrivilegedStatus | null
  readonly callDetails?: z.infer<typeof CallDetails> | null
  readonly version?: number
  readonly roomTimestamp?: string
  readonly owner?: string | null
  readonly incidentId?: string | null
}
export interface WireMember {
  readonly user_id?: string
  readonly user?: WireUser | null
  readonly channel_role?: string
  readonly created_at?: string
}
export interface WireRead {
  readonly user: WireUser
  readonly last_read: string
  readonly last_read_message_id?: string
  readonly unread_messages?: number
}
/** A channel with the caller's view of it. */
export interface WireState {
  readonly channel: WireChannel
  readonly messages?: readonly WireMessage[]
  readonly members?: readonly WireMember[]
  readonly membership?: WireMember | null
  readonly read?: readonly WireRead[]
  readonly hidden?: boolean
}
/** An event of the service's socket. */
export interface WireEvent {
  readonly type: string
  readonly cid?: string
  readonly channel?: WireChannel
  readonly message?: WireMessage
  readonly user?: WireUser
  readonly member?: WireMember
  readonly last_read_message_id?: string
  readonly created_at?: string
}

/** The room of a channel's `cid`: `team:<id>` or `messaging:<id>`. */
export const roomIdOf = (cid: string): string => cid.slice(cid.indexOf(':') + 1)
