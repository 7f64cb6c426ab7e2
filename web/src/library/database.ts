// The browser's database (IndexedDB): `heads` for lists and searches, `bodies` with the games themselves.

import type { Body, Head } from "./library.svelte";

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("chuhe", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("heads", { keyPath: "id" });
      request.result.createObjectStore("bodies");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => (opened = null));
  return opened;
}

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Runs changes in one transaction; all of them are made or none. */
async function change(changes: (heads: IDBObjectStore, bodies: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(["heads", "bodies"], "readwrite");
  try {
    changes(transaction.objectStore("heads"), transaction.objectStore("bodies"));
  } catch (error) {
    // Otherwise the changes before the failed one would be made.
    transaction.abort();
    throw error;
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // A failed change aborts the transaction, which has its reason only then.
    transaction.onabort = () => reject(transaction.error);
  });
}

export const putEntries = (entries: [Head, Body][]) =>
  change((heads, bodies) => {
    for (const [head, body] of entries) {
      heads.put(head);
      bodies.put(body, head.id);
    }
  });

export const deleteEntry = (id: string) =>
  change((heads, bodies) => {
    heads.delete(id);
    bodies.delete(id);
  });

export async function allHeads(): Promise<Head[]> {
  const transaction = (await database()).transaction("heads");
  return answer(transaction.objectStore("heads").getAll());
}

export async function bodyOf(id: string): Promise<Body | null> {
  const transaction = (await database()).transaction("bodies");
  return (await answer<Body | undefined>(transaction.objectStore("bodies").get(id))) ?? null;
}
