import { firstExisting } from './first-existing.ts'

const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const find = (...names: string[]) =>
  firstExisting(names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)))

/** Each returns the path of a program of Prometheus on this machine, or an empty string. Debian's names come first. */
export const prometheusPath = (): string => find('prometheus')
export const promtoolPath = (): string => find('promtool')
export const alertmanagerPath = (): string => find('prometheus-alertmanager', 'alertmanager')
export const amtoolPath = (): string => find('amtool')
export const blackboxPath = (): string => find('prometheus-blackbox-exporter', 'blackbox_exporter')
export const nodeExporterPath = (): string => find('prometheus-node-exporter', 'node_exporter')
