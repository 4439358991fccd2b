/** Subject of a report. */
export interface Returned {
  /** Message-ID of the mail without its angle brackets. */
  readonly messageId: string
  readonly recipient: string
  readonly status?: string
  readonly action?: string
  readonly diagnostic?: string
}

/** Report of Postfix: the mail is quoted whole. */
export const fromPostfix = ({
  messageId,
  recipient,
  status = '5.1.1',
  action = 'failed',
  diagnostic = `550 ${status} <${recipient}>: Recipient address rejected: User
    unknown in virtual mailbox table`,
}: Returned) => `Return-Path: <>
Received: by mx.muster.example (Postfix)
	id 4F2B1C0042; Sat, 28 Nov 2026 10:00:01 +0000 (UTC)
Date: Sat, 28 Nov 2026 10:00:01 +0000 (UTC)
From: MAILER-DAEMON@mx.muster.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: muster@localhost
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="7A1B2C3D4E.1764324001/mx.muster.example"
Content-Transfer-Encoding: 8bit
Message-Id: <20261128100001.4F2B1C0042@mx.muster.example>

This is a MIME-encapsulated message.

--7A1B2C3D4E.1764324001/mx.muster.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.muster.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--7A1B2C3D4E.1764324001/mx.muster.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.muster.example
X-Postfix-Queue-ID: 7A1B2C3D4E
X-Postfix-Sender: rfc822; muster@localhost
Arrival-Date: Sat, 28 Nov 2026 10:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.out.example
Diagnostic-Code: smtp; ${diagnostic}

--7A1B2C3D4E.1764324001/mx.muster.example
Content-Description: Undelivered Message
Content-Type: message/rfc822
Content-Transfer-Encoding: 8bit

Return-Path: <muster@localhost>
Received: from muster (localhost [127.0.0.1])
	by mx.muster.example (Postfix) with ESMTP id 7A1B2C3D4E
	for <${recipient}>; Sat, 28 Nov 2026 10:00:00 +0000 (UTC)
From: Harbour <muster@localhost>
To: ${recipient}
Subject: Gate 2
Message-ID: <${messageId}>
Date: Sat, 28 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Gate 2 is closed

--7A1B2C3D4E.1764324001/mx.muster.example--
`

/** Report of Exim: its own status names only the class, and the returned part has headers only. */
export const fromExim = ({
  messageId,
  recipient,
  status = '5.1.1',
  action = 'failed',
}: Returned) => `Return-path: <>
Envelope-to: muster@localhost
Received: from Debian-exim by mail.muster.example with local (Exim 4.98)
	id 1tGabc-00000001-AbC
	for muster@localhost; Sat, 28 Nov 2026 10:00:02 +0000
X-Failed-Recipients: ${recipient}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.muster.example>
To: muster@localhost
References: <${messageId}>
Content-Type: multipart/report; report-type=delivery-status; boundary=1764324002-eximdsn-1234567890
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1tGabc-00000001-AbC@mail.muster.example>
Date: Sat, 28 Nov 2026 10:00:02 +0000

--1764324002-eximdsn-1234567890
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

  ${recipient}
    host mx.out.example [203.0.113.9]
    SMTP error from remote mail server after RCPT TO:<${recipient}>:
    550 ${status} <${recipient}> User unknown

--1764324002-eximdsn-1234567890
Content-type: message/delivery-status

Reporting-MTA: dns; mail.muster.example

Action: ${action}
Final-Recipient: rfc822;${recipient}
Status: 5.0.0
Remote-MTA: dns; mx.out.example
Diagnostic-Code: smtp; 550 ${status} <${recipient}> User unknown

--1764324002-eximdsn-1234567890
Content-type: text/rfc822-headers

Return-path: <muster@localhost>
From: Harbour <muster@localhost>
To: ${recipient}
Subject: Gate 2
Message-ID:
 <${messageId}>
Date: Sat, 28 Nov 2026 10:00:00 +0000

--1764324002-eximdsn-1234567890--
`

/** Report of Exchange Online: with HTML, names the mail in a field of its own, and returns nothing of it. */
export const fromExchange = ({
  messageId,
  recipient,
  status = '5.1.10',
  action = 'failed',
}: Returned) => `From: <postmaster@out.example>
To: <muster@localhost>
Date: Sat, 28 Nov 2026 10:00:03 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="9f8e7d6c-5b4a-4321-8765-0123456789ab"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <a1b2c3d4@DB9PR01MB0001.eurprd01.prod.exchangelabs.example>
In-Reply-To: <${messageId}>
References: <${messageId}>
Subject: Undeliverable: Gate 2
Auto-Submitted: auto-replied
MIME-Version: 1.0

--9f8e7d6c-5b4a-4321-8765-0123456789ab
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="11112222-3333-4444-5555-666677778888"

--11112222-3333-4444-5555-666677778888
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message couldn't be delivered. ${recipient} wasn't found at out.example.

--11112222-3333-4444-5555-666677778888
Content-Type: text/html; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

<html><body><p>Your message couldn't be delivered.</p></body></html>

--11112222-3333-4444-5555-666677778888--

--9f8e7d6c-5b4a-4321-8765-0123456789ab
Content-Type: message/delivery-status

Reporting-MTA: dns;DB9PR01MB0001.eurprd01.prod.exchangelabs.example
Received-From-MTA: dns;mx.muster.example
Arrival-Date: Sat, 28 Nov 2026 10:00:00 +0000

Original-Recipient: rfc822;${recipient}
Final-Recipient: rfc822;person@tenant.out.example
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp;550 ${status} RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
X-Display-Name: Person

--9f8e7d6c-5b4a-4321-8765-0123456789ab--
`
