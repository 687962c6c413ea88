NS_ASSUME_NONNULL_BEGIN
@interface Cart : NSObject
@property (nonatomic) NSString *title;
- (int)totalWith:(int)tax;
@end
NS_ASSUME_NONNULL_END
@implementation Cart
/** All lines. */
- (int)totalWith:(int)tax {
  return tax;
}
@end
static int sum(int a) { return a; }
@protocol Store
@end
