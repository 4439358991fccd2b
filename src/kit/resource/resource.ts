import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { GridColDef } from '@mui/x-data-grid'
import type { Identifier } from 'react-admin'
import type { ComponentType, ReactNode } from 'react'
import type * as z from 'zod/mini'

import type { Access } from '#contract/kit/access.ts'
import type { ReplyOf, Download, Endpoint, List, Schema } from '#contract/kit/endpoint.ts'
import type { SeveralOutcomes } from '#contract/kit/several.ts'
import type { ResourceApi } from '#providers/httpClient.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import type { Inputs } from '../form/inputs.ts'

/** The signed-in person, as far as the actions of a row depend on it. */
export interface Person {
  readonly uuid: string
  readonly email: string
}

/** One record of a resource's list, as the contract has it. */
export type RowOf<A extends ResourceApi> = ReplyOf<A['list']> extends readonly (infer Row)[] ? Row : never
/** Initial values of a form for a new record: a field without a default is empty. */
type Blank<B> = { readonly [K in keyof B]: B[K] | '' }
type BodyOf<E> = E extends { readonly body: infer B extends Schema } ? z.output<B> : never
type FieldIn<E> = E extends { readonly body: infer B extends Schema } ? keyof z.output<B> & string : never
/** Fields of a resource's forms. */
export type FieldOf<A extends ResourceApi> = FieldIn<A['create']> | FieldIn<A['update']>
/** Calls about one record: its parameter is in the path. */
type RecordCall<A> = {
  [K in keyof A]: A[K] extends { readonly params: Schema; readonly body?: undefined } ? K : never
}[keyof A] &
  string

type OfGrid = Partial<
  Pick<GridColDef, 'flex' | 'width' | 'minWidth' | 'maxWidth' | 'sortable' | 'align' | 'headerAlign'>
>
/** A column of the table and a line of the cards that a phone shows. */
export interface Column<Row, Sort extends string = never> extends OfGrid {
  /** The record's field, or what the server calls the order by this column. */
  readonly field: (keyof Row & string) | Sort
  readonly label: TextKey
  /** Format of the value without `text` and `render`. */
  readonly kind?: 'text' | 'number' | 'time'
  readonly text?: (row: Row, text: Translate) => string
  /** Drawn in place of what is written; a file of all records has what is written. */
  readonly render?: (row: Row) => ReactNode
  /** Given up when space is short, the highest first; a column without it stays. */
  readonly yields?: number
  /** Names the record, and leads to it; the first column does unless one says so. */
  readonly names?: boolean
  /** Shown on a phone: as a line, or in the card's corner. */
  readonly card?: 'line' | 'corner'
}
/** A column of a file of all records. */
export type FileColumn<Row> = Pick<Column<Row>, 'field' | 'label' | 'text'>
export type Translate = (key: TextKey, words?: Readonly<Record<string, string | number>>) => string

/** A switch in the toolbar: the filter that it stands for when off. */
export interface Toggle {
  /** In the list's `filterValues`, `true` when on. */
  readonly id: string
  readonly label: TextKey
  readonly off: Readonly<Record<string, unknown>>
  /** The field of a filter that says the same more exactly: while it is set, the switch is neither shown nor followed. */
  readonly unless?: string
}

/** One of a few or many values that a list can be narrowed to, asked of the server. */
export interface ChoiceFilter<Field extends string = string> {
  readonly label: TextKey
  /** The field of the list's `filter`, and its name in the page's address. */
  readonly field: Field
  /** A hook, called only while its choices are on screen; undefined while they load. */
  readonly useChoices: () => readonly FilterChoice[] | undefined
  /** Further choices that are too many to know all of them: asks the server for the first that it finds by a text. */
  readonly find?: (typed: string, signal: AbortSignal) => Promise<readonly FilterChoice[]>
  /** Asks for the label of a value that `find` would find; null where there is none. */
  readonly labelOf?: (value: string, signal: AbortSignal) => Promise<string | null>
}
export interface FilterChoice {
  readonly value: string
  readonly label: string
  /** Text below the label that a search matches, too. */
  readonly description?: string
}
/** A span of time that a list can be narrowed to, asked of the server as two timestamps. */
export interface PeriodFilter<Field extends string = string> {
  readonly label: TextKey
  readonly from: Field
  readonly to: Field
}
export type ListFilter<Field extends string = string> = ChoiceFilter<Field> | PeriodFilter<Field>
/** Fields of a list's `filter`. */
type FilterFieldOf<A extends ResourceApi> = A['list'] extends { readonly query: infer Q extends Schema }
  ? z.output<Q> extends { filter?: infer F }
    ? keyof NonNullable<F> & string
    : never
  : never

interface OfferedForRecord<Row, Call> {
  readonly label: TextKey | ((row: Row) => TextKey)
  readonly icon: ComponentType<SvgIconProps>
  readonly destructive?: boolean
  /** The call that it makes; it is offered to whom the call is allowed. */
  readonly call: Call
  readonly when?: (row: Row, me: Person | null) => boolean
  /** Why it cannot be done now: it is then shown as disabled, with the reason. */
  readonly blocked?: (row: Row) => TextKey | undefined
}
/** A call that changes one record. Its texts can name the record's fields, and `name`. */
interface MutationAction<Call extends string> {
  /** The call that takes the action back, offered after it. */
  readonly undo?: Call
  readonly confirm?: { readonly title: TextKey; readonly text: TextKey }
  /** Toast after a success. */
  readonly done: TextKey
  /** Toast after a failure, before the server's reason; a reason of status 400 stands alone. */
  readonly failed: TextKey
}
/** A dialog about one record, whose component makes its own calls. */
interface DialogAction<Row> {
  readonly show: ComponentType<{ record: Row; onClose: () => void }>
  /** Pressing the record's name shows it, where the record cannot be edited. */
  readonly opens?: boolean
}
/** A page about one record. */
interface LinkAction<Row> {
  readonly to: (row: Row) => string
}
/** An action on one record, or a view of it. */
export type RowAction<A extends ResourceApi, Row> =
  | (OfferedForRecord<Row, RecordCall<A>> & MutationAction<RecordCall<A>>)
  | (OfferedForRecord<Row, keyof A & string> & (DialogAction<Row> | LinkAction<Row>))

/** Calls that change several records. */
type SeveralCall<A> = {
  [K in keyof A]: A[K] extends { readonly body: Schema; readonly reply: typeof SeveralOutcomes } ? K : never
}[keyof A] &
  string
/** An action on several selected records in one call. The server decides for each, and answers why not. */
export interface BulkAction<A extends ResourceApi, Row> {
  readonly label: TextKey
  readonly icon: ComponentType<SvgIconProps>
  readonly destructive?: boolean
  /** The call that it makes; it is offered to whom the call is allowed. */
  readonly call: SeveralCall<A>
  /** It is offered where it fits one of the records or more. */
  readonly when?: (row: Row, me: Person | null) => boolean
  /** The question, and what will happen. Its texts have the number of records as `smart_count`. */
  readonly title: TextKey
  readonly text: TextKey
  /** A value that is asked for and sent as this field of the body. */
  readonly choice?: {
    readonly field: string
    readonly label: TextKey
    readonly useChoices: () => readonly FilterChoice[] | undefined
  }
  /** For how many it was done, and for how many it was refused. */
  readonly done: TextKey
  readonly refused: TextKey
}

/** Fields that the list can be sorted by: those of the server, or any field of rows sorted in the browser. */
type SortOf<A extends ResourceApi> = A['list'] extends { readonly reply: List }
  ? A['list'] extends { readonly query: infer Q extends Schema }
    ? z.output<Q> extends { sort?: [infer Field extends string, unknown] | undefined }
      ? Field
      : never
    : never
  : keyof RowOf<A> & string

/** Props of the inputs of a resource's form. */
export interface InputsOf<A extends ResourceApi> {
  /** The building blocks come as properties, so that a list loads without its form. */
  readonly inputs: Inputs<FieldOf<A>>
  /** The record that is edited; absent for a new one. */
  readonly record?: RowOf<A> | undefined
}

/** A call as TanStack Query makes it. */
export interface RequiredQuery {
  readonly queryKey: readonly string[]
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
  readonly staleTime?: number
}

/** A resource in `resources/index.ts`: the props of react-admin's `<Resource>`, its calls and its place in the menu. */
export interface ResourceEntry<A extends ResourceApi, Row = RowOf<A>> {
  /** Names the route and the resource; it may hold a slash. */
  readonly name: string
  /** In the menu. */
  readonly label: TextKey
  readonly icon: ComponentType<SvgIconProps>
  /** Access to the menu entry and the page, equal to that of the call `list`. */
  readonly access: Access
  /** Its calls, which load with its page. */
  readonly api: () => Promise<A>
  /** The field that people call a record by, or a function that returns its name. */
  readonly recordRepresentation: (keyof Row & string) | ((row: Row) => string)
  readonly hasCreate?: boolean
  readonly hasEdit?: boolean
  /** Loads the page, which is what `defineResource` returns, and its layout beside it (`withLayout`). */
  readonly page: () => Promise<ComponentType>
}

/** A resource in the kit. A page of its own takes it from the entry in `resources/index.ts`. */
interface Identity<Row> {
  readonly name: string
  readonly icon: ComponentType<SvgIconProps>
  /** Name of a record for people. */
  readonly nameOf: (row: Row) => string
}

/** A declared resource, in any layout. Fields are added when a second resource needs them. */
interface Declared<A extends ResourceApi, Row> {
  readonly title: TextKey
  /** Name of a record for people, if it takes more code than an entry should load; otherwise the entry has it. */
  readonly nameOf?: (row: Row) => string
  readonly api: A
  /** The order before anybody chose one. */
  readonly sort: readonly [field: SortOf<A>, order: 'ASC' | 'DESC']
  /** Label of the search box, which asks the list for `q`. */
  readonly search?: TextKey
  readonly actions?: readonly RowAction<A, Row>[]
  readonly empty: TextKey
  /** Toast after a failure without a sentence of the server. */
  readonly failed?: TextKey
  /** Says what keeps the form from being saved in a toast as well: the server's `message` within it, the form's own alone. */
  readonly problemToast?: TextKey
  /** When the form is checked: as it is typed, or, unless said, first when it is sent. */
  readonly checked?: 'on change'
  /** Milliseconds for which a form says that it has saved before it closes; without it, it closes at once and a toast says so. */
  readonly closesAfter?: number
  /** Milliseconds between two questions; without it the list asks only as the live socket tells of changes. */
  readonly refreshEvery?: number
  readonly inputs?: ComponentType<InputsOf<A>>
  /** Calls whose answers the form is checked by: it is not shown before them. */
  readonly required?: readonly RequiredQuery[]
  readonly create?: {
    readonly label: TextKey
    readonly blank: Blank<BodyOf<A['create']>>
    /** The button of the form, where it is not named like what opens it. */
    readonly submit?: TextKey
    readonly done: TextKey
    /** Shown after a success, with the server's answer. */
    readonly after?: ComponentType<{ created: AnswerOf<A['create']>; onClose: () => void }>
  }
  readonly edit?: {
    readonly label: TextKey
    readonly values: (row: Row) => BodyOf<A['update']>
    readonly when?: (row: Row) => boolean
    readonly done: TextKey
  }
}

/** A dialog about all records that a button above the table opens, such as an import. */
export interface Tool<A extends ResourceApi> {
  readonly label: TextKey
  readonly icon: ComponentType<SvgIconProps>
  /** The call that it makes; it is offered to whom the call is allowed. */
  readonly call: keyof A & string
  readonly show: ComponentType<{ onClose: () => void }>
  /** Only its icon, for what is seldom needed. On a phone all tools are icons. */
  readonly isIcon?: true
}

/** A table, whose records open in a dialog. */
interface TableDeclaration<A extends ResourceApi, Row = RowOf<A>> extends Declared<A, Row> {
  readonly layout?: 'table'
  readonly columns: readonly Column<Row, SortOf<A>>[]
  readonly toggles?: readonly Toggle[]
  readonly filters?: readonly ListFilter<FilterFieldOf<A>>[]
  /** Rows get a checkbox where the person may do any of these. */
  readonly bulkActions?: readonly BulkAction<A, Row>[]
  /** A download of all that the list's filter finds, which takes the place of a file that the browser makes. */
  readonly file?: FileCall<A>
  readonly tools?: readonly Tool<A>[]
  /** Page sizes, the usual one first; 50, 25 and 100 by default. */
  readonly pageSizes?: readonly [usual: number, ...others: number[]]
  /** The page of a record, which pressing its row opens. */
  readonly leadsTo?: (row: Row) => string
  /** The refresh button rests for a minute after it was pressed. */
  readonly refreshRests?: true
  /** Rows from which on the table has a footer; one unless said. */
  readonly footerFrom?: number
  /** Records that stand back. */
  readonly faded?: (row: Row) => boolean
  /** Rendered around the list, inside its context: gives what cells show besides the record. */
  readonly around?: ComponentType<{ children: ReactNode }>
  /** Rendered above the list and its toolbar. */
  readonly above?: ComponentType
  /** Rendered below the list once it is loaded, an empty list too. */
  readonly below?: ComponentType<{ rows: readonly Row[] }>
}

/** Calls that answer a file and take the list's query. */
type FileCall<A> = {
  [K in keyof A]: A[K] extends { readonly query: Schema; readonly reply: Download } ? K : never
}[keyof A] &
  string

/** A list at the side, with one record beside it: to read, or as a form in the same place. On a phone one follows the other. */
interface SideListDeclaration<A extends ResourceApi, Row = RowOf<A>> extends Declared<A, Row> {
  readonly layout: 'side list'
  /** Below a record's name in the list. `time` writes a timestamp. */
  readonly line: (row: Row, text: Translate, time: (timestamp: string) => string) => string
  /** The record, below its name. */
  readonly detail: ComponentType<{ record: Row }>
  /** Columns of a file of all records. */
  readonly columns: readonly FileColumn<Row>[]
}

/** The declaration in a resource's own file. */
export type Declaration<A extends ResourceApi> = TableDeclaration<A> | SideListDeclaration<A>
export interface TableDefinition<A extends ResourceApi, Row = RowOf<A>>
  extends Omit<TableDeclaration<A, Row>, 'nameOf'>, Identity<Row> {}
export interface SideListDefinition<A extends ResourceApi, Row = RowOf<A>>
  extends Omit<SideListDeclaration<A, Row>, 'nameOf'>, Identity<Row> {}
type AnswerOf<E> = E extends Endpoint ? ReplyOf<E> : never

/** The `meta` of react-admin's calls for records that are only shown: a summary, if there is one. */
export const metaOf = ({ api }: Pick<AnyDefinition, 'api'>): { readonly isSummary: true } | undefined =>
  api.summary ? AS_SUMMARY : undefined
const AS_SUMMARY = { isSummary: true } as const

/** The column that names the records of a table. */
export const namingOf = ({ columns }: AnyTable): Column<any, any> =>
  columns.find(({ names }) => names) ?? columns[0]!

/** A record as the data provider gives it. */
export interface Listed {
  readonly id: Identifier
  readonly [field: string]: unknown
}
/** Definitions whose types were checked where they were written. */
export type AnyTable = TableDefinition<any, any>
export type AnySideList = SideListDefinition<any, any>
export type AnyDefinition = AnyTable | AnySideList
export type AnyDeclaration = TableDeclaration<any, any> | SideListDeclaration<any, any>
/** Checks the types of a table whose page is a screen of its own. */
export const tableOf = <const A extends ResourceApi>(definition: TableDefinition<A>): AnyTable => definition
export type AnyEntry = ResourceEntry<any, any>
