#include "datasets/zip/zip.h"

#include <string.h>

#include "core/gzip.h"
#include "core/little_endian.h"
#include "core/memory.h"

/* Signatures, and the least bytes of what each begins. */
enum { LOCAL = 0x04034b50, ENTRY = 0x02014b50, END = 0x06054b50 };
enum { WIDE_END = 0x06064b50, WIDE_LOCATOR = 0x07064b50 };
enum { LOCAL_BYTES = 30, ENTRY_BYTES = 46, END_BYTES = 22 };
enum { WIDE_END_BYTES = 56, LOCATOR_BYTES = 20, MOST_COMMENT_BYTES = 65535 };
enum { STORED, DEFLATED = 8, ENCRYPTED_FLAG = 1, WIDE_FIELD = 1 };
static const uint64_t is_wide = UINT32_MAX; /* the number stands in a field of 64 bits */

static uint64_t number_at(const struct zip *zip, size_t at, unsigned bytes)
{
    return little_endian_get(zip->text->bytes + at, bytes);
}

static enum status fail_at(const struct zip *zip, size_t at, const char *found,
                           const char *expected)
{
    return error_set_byte(zip->error, zip->file, at, "found %s, expected %s", found, expected);
}

bool zip_is_archive(const struct text *text)
{
    return text->length >= 4 && memcmp(text->bytes, "PK\3\4", 4) == 0;
}

/* Where the directory lies in an archive of many or large members. */
static enum status open_wide(struct zip *zip, size_t end, uint64_t *at, uint64_t *bytes)
{
    size_t locator = end - LOCATOR_BYTES;
    if (end < LOCATOR_BYTES || number_at(zip, locator, 4) != WIDE_LOCATOR)
        return STATUS_OK;
    uint64_t wide = number_at(zip, locator + 8, 8);
    if (wide > locator || locator - wide < WIDE_END_BYTES ||
        number_at(zip, (size_t)wide, 4) != WIDE_END)
        return fail_at(zip, locator, "no zip64 directory where the archive says that it is",
                       "one inside the file");
    zip->members = number_at(zip, (size_t)wide + 32, 8);
    *bytes = number_at(zip, (size_t)wide + 40, 8);
    *at = number_at(zip, (size_t)wide + 48, 8);
    return STATUS_OK;
}

enum status zip_open(const struct text *text, const char *file, struct zip *zip,
                     struct error *error)
{
    *zip = (struct zip){.text = text, .file = file, .error = error};
    size_t least = text->length > END_BYTES + MOST_COMMENT_BYTES
                       ? text->length - END_BYTES - MOST_COMMENT_BYTES
                       : 0;
    size_t end = text->length < END_BYTES ? 0 : text->length - END_BYTES + 1;
    while (end > least && number_at(zip, end - 1, 4) != END)
        end--;
    if (end <= least)
        return fail_at(zip, text->length, "no directory at the end of the file",
                       "a whole zip archive");
    end--;
    uint64_t bytes = number_at(zip, end + 12, 4), at = number_at(zip, end + 16, 4);
    zip->members = number_at(zip, end + 10, 2);
    TRY(open_wide(zip, end, &at, &bytes));
    if (at > end || bytes > end - at)
        return fail_at(zip, end, "a directory that is not inside the file", "one before its end");
    zip->at = (size_t)at;
    zip->end = (size_t)(at + bytes);
    return STATUS_OK;
}

/* Numbers that did not fit into the entry stand in its extra field, in this order. */
static enum status read_wide_field(const struct zip *zip, size_t at, size_t end,
                                   struct zip_member *member)
{
    uint64_t *const wide[] = {&member->bytes, &member->packed_bytes, &member->header};
    while (end - at >= 4) {
        size_t kind = (size_t)number_at(zip, at, 2), bytes = (size_t)number_at(zip, at + 2, 2);
        at += 4;
        if (bytes > end - at)
            return fail_at(zip, at - 4, "an extra field that is longer than its member's", "less");
        size_t next = at + bytes;
        for (int i = 0; kind == WIDE_FIELD && i < 3; i++) {
            if (*wide[i] != is_wide)
                continue;
            if (next - at < 8)
                return fail_at(zip, at, "a zip64 field that is cut off", "64 bits");
            *wide[i] = number_at(zip, at, 8);
            at += 8;
        }
        at = next;
    }
    return STATUS_OK;
}

enum status zip_next(const struct zip *zip, size_t *at, bool *found, struct zip_member *member)
{
    size_t here = *at ? *at : zip->at;
    *found = here != zip->end;
    if (!*found)
        return STATUS_OK;
    if (zip->end - here < ENTRY_BYTES || number_at(zip, here, 4) != ENTRY)
        return fail_at(zip, here, "no entry of the directory", "one for each member");
    size_t name = (size_t)number_at(zip, here + 28, 2);
    size_t extra = (size_t)number_at(zip, here + 30, 2);
    size_t comment = (size_t)number_at(zip, here + 32, 2);
    if (name + extra + comment > zip->end - here - ENTRY_BYTES)
        return fail_at(zip, here, "an entry that is longer than the directory", "less");
    *member = (struct zip_member){.name = zip->text->bytes + here + ENTRY_BYTES,
                                  .name_bytes = name,
                                  .method = (unsigned)number_at(zip, here + 10, 2),
                                  .packed_bytes = number_at(zip, here + 20, 4),
                                  .bytes = number_at(zip, here + 24, 4),
                                  .header = number_at(zip, here + 42, 4)};
    if (number_at(zip, here + 8, 2) & ENCRYPTED_FLAG)
        return fail_at(zip, here, "an encrypted member", "a plain one");
    *at = here + ENTRY_BYTES + name + extra;
    TRY(read_wide_field(zip, *at - extra, *at, member));
    *at += comment;
    return STATUS_OK;
}

static enum status inflate(const struct zip *zip, const struct zip_member *member, size_t at,
                           struct text *inflated)
{
    bool is_whole;
    size_t bytes = (size_t)member->bytes;
    if (member->bytes > ZIP_MOST_INFLATED_BYTES || member->packed_bytes > UINT32_MAX)
        return fail_at(zip, at, "a deflated member of more than 32 MiB", "at most 32 MiB");
    TRY(memory_create(&inflated->bytes, bytes, 1, zip->error));
    inflated->length = inflated->capacity = bytes;
    TRY(gzip_inflate_raw(zip->text->bytes + at, (size_t)member->packed_bytes, inflated->bytes,
                         bytes, &is_whole, zip->error));
    return is_whole ? STATUS_OK
                    : fail_at(zip, at, "a member that is damaged or of another size than it says",
                              "as many deflated bytes as its entry says");
}

enum status zip_read(const struct zip *zip, const struct zip_member *member, struct text *inflated,
                     struct text *content)
{
    size_t length = zip->text->length, at = (size_t)member->header;
    if (member->header > length || length - at < LOCAL_BYTES || number_at(zip, at, 4) != LOCAL)
        return fail_at(zip, zip->at, "a member whose header is not there", "one inside the file");
    at += LOCAL_BYTES + (size_t)number_at(zip, at + 26, 2) + (size_t)number_at(zip, at + 28, 2);
    if (at > length || member->packed_bytes > length - at)
        return fail_at(zip, (size_t)member->header, "a member that is longer than the file",
                       "one inside it");
    if (member->method == DEFLATED) {
        TRY(inflate(zip, member, at, inflated));
        *content = *inflated;
        return STATUS_OK;
    }
    if (member->method != STORED || member->bytes != member->packed_bytes)
        return fail_at(zip, at, "a member that is packed in an unknown way",
                       "one that is stored or deflated");
    *content = (struct text){.bytes = zip->text->bytes + at,
                             .length = (size_t)member->bytes,
                             .is_mapped = zip->text->is_mapped};
    return STATUS_OK;
}
