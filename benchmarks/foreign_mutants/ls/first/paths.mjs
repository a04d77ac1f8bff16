// Paths are byte strings: each character is one byte (latin1), as names need not be UTF-8.
import fs from 'node:fs';
import { is } from './bug.mjs';

export const bytes = (path) => Buffer.from(path, 'latin1');
export const fromText = (text) => Buffer.from(text, 'utf8').toString('latin1');
export const toText = (path) => bytes(path).toString('utf8');
export const real = (text) => fs.realpathSync.native(Buffer.from(text), { encoding: 'buffer' }).toString('latin1');

const parent = (path) => path.slice(0, path.lastIndexOf('/'));

export function inside(root, path) {
  if (root === '/') return true;
  if (is('inside_prefix')) return path.startsWith(root);
  if (is('inside_two_dot_name') && path.startsWith(`${root}/..`)) return false;
  return path === root || path.startsWith(`${root}/`);
}

export function relative(from, to) {
  const a = from.split('/').filter(Boolean), b = to.split('/').filter(Boolean);
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/') || '.';
}

/** Follow a path on the disk. Return the place, and its stat unless nothing is there. */
export function follow(start, path, { lexical = false, lastLinkOnly = false } = {}) {
  let at = path.startsWith('/') ? '' : start === '/' ? '' : start;
  const todo = path.split('/');
  let missing = 0, links = 0;
  while (todo.length > 0) {
    const name = todo.shift();
    if (name === '' || name === '.') continue;
    if (name === '..') { at = parent(at); if (missing > 0) missing--; continue; }
    const next = `${at}/${name}`;
    if (missing > 0) { missing++; at = next; continue; }
    let stat;
    try {
      stat = fs.lstatSync(bytes(next));
    } catch (problem) {
      if (problem.code !== 'ENOENT' && problem.code !== 'ENOTDIR') { problem.place = next; throw problem; }
      missing = 1;
      at = next;
      continue;
    }
    const isLast = !todo.some((one) => one !== '' && one !== '.');
    if (!stat.isSymbolicLink() || lexical || (lastLinkOnly && !isLast)) { at = next; continue; }
    if (++links > 40) throw Object.assign(new Error('ELOOP: too many symbolic links encountered'), { code: 'ELOOP', place: next });
    const target = fs.readlinkSync(bytes(next), { encoding: 'buffer' }).toString('latin1');
    if (target.startsWith('/')) at = '';
    todo.unshift(...target.split('/'));
  }
  const place = at === '' ? '/' : at;
  return { place, throughLink: links > 0, stat: missing > 0 ? null : lexical || lastLinkOnly ? statOrNull(place) : fs.lstatSync(bytes(place)) };
}

function statOrNull(place) {
  try { return fs.statSync(bytes(place)); } catch (problem) { if (problem.code === 'ENOENT') return null; throw problem; }
}
