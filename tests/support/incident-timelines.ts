/*
 * Facts of two public post-mortems by DFDS (MIT License, Copyright (c) 2019 DFDS): times and events, shortened. Rows
 * are out of order, as people enter them.
 */
export interface RealTimeline {
  readonly title: string
  /** Declared at this time. */
  readonly start: string
  readonly resolved: string
  readonly entries: readonly (readonly [at: string, text: string])[]
  /** Decided at this time. */
  readonly decision: { readonly at: string; readonly title: string; readonly decision: string }
}

export const ADFS_OUTAGE: RealTimeline = {
  title: 'ADFS Outage',
  start: '2021-03-31T12:11:00.000Z',
  resolved: '2021-03-31T13:30:00.000Z',
  entries: [
    ['2021-03-31T13:30:00.000Z', 'Script completed to update account federation metadata. Confirmed working'],
    ['2021-03-31T12:06:00.000Z', 'Token-decrypting and token-signing certificates applied to ADFS expire'],
    [
      '2021-03-31T13:02:00.000Z',
      'Identified that the issue was expired token signing and decryption certificates',
    ],
    ['2021-03-31T12:21:00.000Z', 'Issue logging in verified'],
    ['2021-03-31T12:49:00.000Z', 'Member of datacenters team joined call to begin investigating the issue'],
    ['2021-03-31T12:25:00.000Z', 'Datacenters team contacted reporting the issue'],
    ['2021-03-31T12:11:00.000Z', 'Reports of issues signing into the AWS web console via ADFS'],
  ],
  decision: {
    at: '2021-03-31T13:18:00.000Z',
    title: 'Roll over the certificate',
    decision: 'Certificate rolled over, federation metadata fixed by hand through the root account',
  },
}

export const LOG4SHELL: RealTimeline = {
  title: 'Log4Shell investigations',
  start: '2021-12-10T15:40:00.000Z',
  resolved: '2022-01-04T11:03:00.000Z',
  entries: [
    ['2021-12-10T15:40:00.000Z', 'We became aware of it during a call'],
    ['2021-12-10T00:00:00.000Z', 'The Log4Shell vulnerability was published'],
    ['2021-12-10T16:10:00.000Z', 'IT-Security published messages on MS Teams and Slack about it'],
    ['2021-12-10T16:10:00.000Z', 'Azure DevOps git repositories were searched for usage of Log4J'],
    [
      '2021-12-13T15:50:00.000Z',
      'Started scanning Docker images used on Hellman. One affected pod found (xroute)',
    ],
    ['2021-12-13T14:30:00.000Z', 'Initial management-level contact with S&O'],
    [
      '2021-12-14T11:30:00.000Z',
      '(T&I level) Initial meeting of all direct involved and incident manager appointed',
    ],
    [
      '2021-12-17T14:40:00.000Z',
      'Vulnerable EC2 instances terminated, because they were development servers',
    ],
    [
      '2021-12-17T12:00:00.000Z',
      'Four EC2 servers found with critical vulnerabilities, but not related to Log4Shell',
    ],
    ['2022-01-04T11:03:00.000Z', 'Follow-up on missing feedback. Product was patched'],
  ],
  decision: {
    at: '2021-12-17T12:45:00.000Z',
    title: 'Four Java based Lambdas',
    decision: 'Delete them, since they were just for testing purposes',
  },
}
