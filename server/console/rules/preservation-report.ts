import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { CaseCopy, PreservationRow, PreservedPerson } from './preservation-ports.ts'

const text = (at: number) => new Date(at).toISOString()
const textOrNull = (at: number | null) => (at === null ? null : text(at))

function personOf(person: PreservedPerson) {
  const { id, provider, subject, email, firstName, lastName, nickName, dateOfBirth, gender, picture } = person
  return {
    espUserId: id,
    screenName: nickName,
    name: { firstName, lastName },
    email,
    dateOfBirth,
    gender,
    signInProvider: { name: provider, userId: subject },
    accountCreated: text(person.createdAt),
    accountStatus: person.status,
    ipCaptureEvents: person.logins.map(({ createdAt, signedInAt, seenAt, ...where }) => ({
      eventName: 'Login',
      dateTime: text(signedInAt ?? createdAt),
      lastSeen: textOrNull(seenAt),
      ipAddress: 'not stored',
      ...where,
    })),
    networkAndDeviceDigests: person.traces.map(({ kind, digest, at }) => ({ kind, digest, lastSeen: text(at) })),
    profilePicture: picture === null ? null : { mimeType: 'image/webp', base64: picture },
  }
}

function fileOf(
  { id, kind, uploader, reporter, session, at, sha256, jpeg }: CaseCopy['pictures'][number],
  viewed: Set<string>,
) {
  return {
    fileId: id,
    kind,
    sentByUser: uploader,
    reportedByUser: reporter,
    matchId: session,
    received: text(at),
    originalFileHash: { hashType: 'SHA-256', value: sha256 },
    viewedByEsp: viewed.has(id),
    isAsReceived: jpeg !== null,
    content: jpeg === null ? null : { mimeType: 'image/jpeg', base64: jpeg },
  }
}

const reading =
  'Pictures are what browsers sent; a browser can be made to send another one. This service vouches for when each came, from whose login, and which match was on. It stores no network addresses, no sound, no video and no chat.'

/**
 * Returns the file for an authority. The headings are those of a report to NCMEC's CyberTipline (incidentSummary, internetDetails,
 * reporter, personOrUserReported, ipCaptureEvent, fileDetails, additionalInfo), whose own API takes XML. Times are ISO 8601 in UTC.
 */
export function preservationReport(row: PreservationRow, copy: CaseCopy) {
  const viewed = new Set(copy.viewed)
  const [reported, ...others] = copy.people.map(personOf)
  return {
    receiptNumber: row.receipt,
    incidentSummary: { incidentType: copy.incidentType, incidentDateTime: text(copy.incidentAt) },
    internetDetails: {
      chatImIncident: {
        chatClient: PRODUCT_NAME,
        matches: copy.matches.map(({ startedAt, answeredAt, endedAt, ...match }) => ({
          ...match,
          started: text(startedAt),
          answered: textOrNull(answeredAt),
          ended: textOrNull(endedAt),
        })),
      },
    },
    reporter: {
      company: PRODUCT_NAME,
      preservedBy: row.openedBy,
      preserved: text(row.openedAt),
      confirmedBy: row.confirmedBy,
      confirmed: textOrNull(row.confirmedAt),
    },
    sentTo:
      row.sentAt === null
        ? null
        : { authority: row.authority, reference: row.authorityReference, sent: text(row.sentAt), sentBy: row.sentBy },
    personOrUserReported: reported ?? null,
    otherPersons: others,
    fileDetails: copy.pictures.map((picture) => fileOf(picture, viewed)),
    additionalInfo: {
      whatWasSeen: copy.seen,
      howToRead: reading,
      reports: copy.reports.map(({ at, ...report }) => ({ ...report, dateTime: text(at) })),
      automaticFindings: copy.findings.map(({ at, ...finding }) => ({ ...finding, dateTime: text(at) })),
      measures: copy.history.map(({ at, ...change }) => ({ ...change, dateTime: text(at) })),
    },
  }
}
