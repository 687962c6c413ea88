import { fetchPage } from "./api.js";

export const PAGE_SIZE = 24;

// Loads pages of pictures until the visible part of the gallery is full.
export async function fillGallery(gallery, firstPage) {
  let page = firstPage;
  while (!gallery.isFull()) {
    gallery.append(await fetchPage(page, PAGE_SIZE));
    page += 1;
  }
  return page;
}
